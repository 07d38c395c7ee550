const pages = new Set<() => boolean>();

/** Whether any open page holds edits that would be lost. */
export function hasUnsavedEdits(): boolean {
  return [...pages].some((isDirty) => isDirty());
}

/** Has a page asked, until what is returned is called. */
export function askPage(isDirty: () => boolean): () => void {
  pages.add(isDirty);
  return () => void pages.delete(isDirty);
}

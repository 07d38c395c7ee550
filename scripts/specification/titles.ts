const title = /\b(?:it|describe)(?:\.(?!skip)\w+)?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;

/** The titles of tests and suites in the text of a test file, as they are written there. */
export const titlesIn = (content: string): string[] => [...content.matchAll(title)].map((match) => match[2] ?? '');

/** Puts what the image of a program holds into a folder. */
export function assemble(program: 'bff' | 'backend' | 'orders' | 'migrate', folder: string, packages: string): void;

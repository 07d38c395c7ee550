export interface Command {
  usage: string;
  does: string;
  options?: Record<string, string>;
}
export const commands: Record<string, Command>;
export function helpOf(name: string): string;
export function overview(): string;

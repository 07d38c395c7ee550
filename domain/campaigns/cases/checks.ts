import { type FieldError, invalidField } from '#domain/api/problem.ts';
import { invalidPostbacks } from '../postback.ts';
import { choiceWithPath, type WrittenChoice } from './cases.ts';

/** Values that an earlier case has, too. */
function repeatedValues({ messagesBy }: WrittenChoice, at: string): FieldError[] {
  const known = new Set<string>();
  return (messagesBy?.cases ?? []).flatMap(({ values }, position) => {
    const folded = values.map((value) => value.toLowerCase());
    const errors = folded.flatMap((value, index) =>
      known.has(value) ? [invalidField(`${at}/messagesBy/cases/${position}/values/${index}`, 'in_another_case')] : [],
    );
    for (const value of folded) known.add(value);
    return errors;
  });
}

/** Where it is not clear who gets which messages: cases beside others, or a value in two of them. `at` is where they are. */
export function unclearChoice(choice: WrittenChoice & { variants?: unknown }, at = ''): FieldError[] {
  const { messages, messagesBy, variants } = choice;
  const beside = messagesBy && (messages ?? variants ?? null) !== null;
  return [...(beside ? [invalidField(`${at}/messagesBy`, 'messages_or_by')] : []), ...repeatedValues(choice, at)];
}

/** What messages are refused for: that they are not clear, and what the platform would. */
export function invalidChoice(
  choice: WrittenChoice & { variants?: unknown },
  { appId, at = '' }: { appId: string; at?: string },
): FieldError[] {
  return [
    ...unclearChoice(choice, at),
    ...choiceWithPath(choice, at).flatMap(({ path, messages }) => invalidPostbacks(messages, appId, path)),
  ];
}

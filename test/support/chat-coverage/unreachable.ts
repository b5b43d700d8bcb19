/** Parameters and body fields that nobody can set from the chat, and why. */
export const unreachable: Readonly<Record<string, string>> = {};

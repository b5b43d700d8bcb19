/** What people read, in their languages. Only this room knows the message files and ICU MessageFormat. */
export {
  createLanguages,
  type EscapedText,
  type Language,
  type Languages,
  type Values,
} from "./language.ts";
export { type Locale, localeFor, locales } from "./locales.ts";
export type { MessageKey } from "./message-key.ts";

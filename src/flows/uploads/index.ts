/** A video from Discord to the channel: looked at, sent as a stream, then its captions and its thumbnail. */
export { scheduled } from "./draft.ts";
export { momentOf, tagsOf, uploadActions } from "./flow.ts";
export { backToForm, privacyField, publishField } from "./form.ts";
export { formFromOptions, uploadFromOptions } from "./options.ts";

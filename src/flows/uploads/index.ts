/** A video from Discord to the channel: looked at, sent as a stream, then its captions and its thumbnail. */
export { captionsOf, type Draft, kept, scheduled, videoFileOf } from "./draft.ts";
export { momentOf, openUploadForm, tagsOf, upload, uploadActions } from "./flow.ts";
export { backToForm, privacyField, publishField, type Sketch } from "./form.ts";

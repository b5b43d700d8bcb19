/** A video from Discord to the channel: looked at, sent as a stream, then its captions and its thumbnail. */
export { type Draft, scheduled } from "./draft.ts";
export { momentOf, openUploadForm, tagsOf, upload, uploadActions } from "./flow.ts";
export { privacyField, publishField, type Sketch } from "./form.ts";
export { captionsOf, kept, videoFileOf } from "./sources.ts";

/** Uploads a video from Discord to the channel: checks it, streams it, then adds captions and a thumbnail. */
export { privacyUntilPublished, type VideoPrivacy } from "./draft.ts";
export { backToForm, maxTagsFieldChars, privacyOptions, publishField } from "./form.ts";
export { formFromOptions, uploadFromOptions, uploadOptions } from "./options.ts";
export { videoUploadActions } from "./upload.ts";

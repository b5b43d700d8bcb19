export { type ReceivedUpload, readUploadSpec, receiveUpload, uploadKind } from "./receive.ts";
export {
  continueUpload,
  createResumableSessions,
  type ResumableSessions,
} from "./session.ts";
export { checkSize, checkType, createUploadSink } from "./sink.ts";

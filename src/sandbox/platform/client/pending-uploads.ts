import type { NewFile } from "../files.ts";
import { ActionError } from "../interaction.ts";
import type { PlatformState } from "../state.ts";

export interface PendingUploads {
  /** Returns the id by which actions name the file. */
  put(upload: NewFile): string;
  /** A file can be sent once; to send it again, upload it again. */
  take(id: string): NewFile;
}

export function fileTooLarge(state: PlatformState, name: string): ActionError {
  const megabytes = Math.floor(state.attachmentLimit / 1_048_576);
  return new ActionError(`"${name}" is too large. The largest file here is ${megabytes} MB.`);
}

// A page that chooses and never sends would otherwise keep every file.
const maxWaiting = 200;

export function createPendingUploads(state: PlatformState): PendingUploads {
  const waiting = new Map<string, NewFile>();

  return {
    put(upload) {
      if (upload.data.byteLength > state.attachmentLimit) {
        throw fileTooLarge(state, upload.name);
      }
      const id = state.nextId();
      waiting.set(id, upload);
      const oldest = waiting.keys().next().value;
      if (waiting.size > maxWaiting && oldest !== undefined) waiting.delete(oldest);
      return id;
    },
    take(id) {
      const upload = waiting.get(id);
      if (upload === undefined)
        throw new ActionError("That file wasn’t uploaded. Attach it again.");
      waiting.delete(id);
      return upload;
    },
  };
}

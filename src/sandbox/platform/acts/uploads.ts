import type { Upload } from "../files.ts";
import { ActError } from "../interaction.ts";
import type { World } from "../world.ts";

/** Files that a person has chosen and not sent yet. */
export interface Uploads {
  /** Answers the id that acts name the file by. */
  put(upload: Upload): string;
  /** A file is sent once; who sends again uploads again. */
  take(id: string): Upload;
}

export function tooLarge(world: World, name: string): ActError {
  const megabytes = Math.floor(world.attachmentLimit / 1_048_576);
  return new ActError(`"${name}" is too large. The largest file here is ${megabytes} MB.`);
}

// A page that chooses and never sends would otherwise keep every file.
const maxWaiting = 200;

export function createUploads(world: World): Uploads {
  const waiting = new Map<string, Upload>();

  return {
    put(upload) {
      if (upload.data.byteLength > world.attachmentLimit) {
        throw tooLarge(world, upload.name);
      }
      const id = world.nextId();
      waiting.set(id, upload);
      const oldest = waiting.keys().next().value;
      if (waiting.size > maxWaiting && oldest !== undefined) waiting.delete(oldest);
      return id;
    },
    take(id) {
      const upload = waiting.get(id);
      if (upload === undefined) throw new ActError("That file was not uploaded.");
      waiting.delete(id);
      return upload;
    },
  };
}

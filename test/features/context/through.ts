import {
  clientThatSends,
  compose,
  type Middleware,
  sendWith,
} from "../../../src/features/context/middleware.ts";
import type { VideoClient } from "../../../src/video/index.ts";

/** A client whose calls go through the middleware and then to the given client. */
export function through(middleware: Middleware, client: VideoClient): VideoClient {
  return clientThatSends(compose([middleware], sendWith(client)));
}

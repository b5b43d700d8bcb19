import {
  clientThatSends,
  compose,
  type Middleware,
  sendWith,
} from "../../../src/features/context/middleware.ts";
import type { VideoClient } from "../../../src/video/index.ts";

/** The client whose calls go through the middleware, and then to this one. */
export function through(middleware: Middleware, client: VideoClient): VideoClient {
  return clientThatSends(compose([middleware], sendWith(client)));
}

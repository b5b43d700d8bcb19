import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A connection from this machine, as a proxy's are. Closed after the test. */
export async function dial({ port }: { readonly port: number }): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  // An error comes before the end, and the end is all that counts.
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Everything that comes until the other end hangs up. */
export async function readToEnd(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
  return text;
}

import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";

/** A free port on 127.0.0.1, held until somebody listens there. */
export interface Reserved {
  readonly url: string;
  /** Whoever listens on it takes the port over, without a moment in which it is free. */
  readonly listener: Server;
  close(): Promise<void>;
}

export async function reserve(): Promise<Reserved> {
  const listener = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    listener,
    close: async () => {
      const closed = once(listener, "close");
      listener.close();
      await closed;
    },
  };
}

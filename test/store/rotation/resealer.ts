import { openRotation } from "../../../src/store/index.ts";
import { keysFor } from "./reseal-kills.ts";

// Started by reseal-kills.ts as a separate process: prints each row that it has handled, and the result.
const [url = "", sealing = "0"] = process.argv.slice(2);
const rotation = await openRotation({ url, keys: keysFor(Number(sealing)) });
const result = await rotation.reseal(({ done }) => process.stdout.write(`${done}\n`));
process.stdout.write(`${JSON.stringify(result)}\n`);
await rotation.close();

// Shared by the trials of the clients: a server to play on, and a proxy whose connections can be cut.

import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { createInterface } from "node:readline";

/** Starts gamekeeperd, on a free port unless one is given; it ends with this process. */
export async function startServer(binary, flags = [], listen = "127.0.0.1:0") {
  const child = spawn(binary, ["--listen", listen, ...flags], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "exit");
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  void ended.then(() => process.off("exit", kill));
  const said = [];
  const lines = createInterface(child.stderr).on("line", (line) => said.push(line));
  /** Resolves to the first match of a pattern in the lines that the server has written or will write. */
  const hear = (pattern) =>
    new Promise((resolve, reject) => {
      const listen = (line) => {
        const found = pattern.exec(line)?.[1];
        if (found) resolve(found);
      };
      said.forEach(listen);
      lines.on("line", listen);
      void ended.then(() => reject(new Error(`the server has ended:\n${said.join("\n")}`)));
    });
  return {
    address: await hear(/^Gamekeeper listens on (\S+)/),
    hear,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
    /** As if the machine had lost its power. */
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A line to a server, on a port of its own, that can be cut. */
export async function startRelay(address) {
  const [host, port] = address.split(":");
  const pairs = new Set();
  let losing = false;
  const relay = {
    cuts: 0,
    /** Cuts every connection now. */
    cut() {
      losing = false;
      relay.cuts += 1;
      for (const end of [...pairs].flat()) end.destroy();
    },
    /** The next answer is lost: requests still pass, and at the first answer everything is cut. */
    loseAnswer() {
      losing = true;
    },
    stop() {
      server.close();
      relay.cut();
    },
  };
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), host);
    const pair = [near, far];
    pairs.add(pair);
    for (const end of pair) {
      end.setNoDelay(true);
      end.on("error", () => {});
      end.on("close", () => {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.on("data", (bytes) => (losing ? relay.cut() : near.write(bytes)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  relay.address = `127.0.0.1:${server.address().port}`;
  return relay;
}

import { connect } from 'node:net';

/** One connection to a server, over which a test writes raw HTTP. */
export interface RawConnection {
  /** Sends the lines of a request, including the empty line and the body. */
  send(...lines: string[]): void;
  /** Everything received so far. */
  heard(): string;
  /** Whether either side has closed it. */
  isClosed(): boolean;
  close(): void;
}

/** @param url of the server, without TLS. */
export function rawConnection(url: string): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  return {
    send: (...lines) => void socket.write(lines.join('\r\n')),
    heard: () => heard,
    isClosed: () => socket.closed,
    close: () => void socket.destroy(),
  };
}

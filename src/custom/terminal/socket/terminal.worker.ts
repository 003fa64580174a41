import { handleSocketRequests, type SocketRequest } from './handleSocketRequests.ts'

const socket = handleSocketRequests((message) =>
  self.postMessage(message, { transfer: message.type === 'output' ? [message.piece.bytes.buffer] : [] }),
)

self.onmessage = ({ data }: MessageEvent<SocketRequest>) => socket.receive(data)

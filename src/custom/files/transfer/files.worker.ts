import { handleWorkerMessages, type WorkerRequest } from './handleWorkerMessages.ts'

const files = handleWorkerMessages((message) =>
  self.postMessage(message, { transfer: message.type === 'listed' ? [message.frame.buffer] : [] }),
)

self.onmessage = ({ data }: MessageEvent<WorkerRequest>) => files.receive(data)

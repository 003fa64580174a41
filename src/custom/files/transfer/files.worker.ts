import { handleWorkerMessages } from './handleWorkerMessages.ts'
import type { WorkerRequest } from './workerMessages.ts'

const files = handleWorkerMessages((message) =>
  self.postMessage(message, { transfer: message.type === 'listed' ? [message.frame.buffer] : [] }),
)

self.onmessage = ({ data }: MessageEvent<WorkerRequest>) => files.receive(data)

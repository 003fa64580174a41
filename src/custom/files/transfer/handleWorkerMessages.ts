import { type OpenConnection, openConnection } from '../../../api/sessionConnection.ts'
import { openSink } from './downloadTargets.ts'
import { FileExchange } from './fileExchange.ts'
import { failureOf } from './fileFailure.ts'
import type { FileOperation, OperationResult, WorkerMessage, WorkerRequest } from './workerMessages.ts'

/** Shortest interval between progress messages, in ms: numbers that change faster cannot be read. */
const progressIntervalMs = 200

/** The worker's side of a file session: owns the connection and writes downloads. */
export function handleWorkerMessages(post: (message: WorkerMessage) => void, open: OpenConnection = openConnection) {
  let exchange: FileExchange | undefined

  const run = (operation: FileOperation, files: FileExchange): Promise<OperationResult> => {
    const onProgress = throttled((done, total) => post({ type: 'progress', done, total }))
    if (operation.type === 'list') return files.list(operation.path).then((frame) => ({ type: 'listed', frame }))
    if (operation.type === 'upload') {
      return files.upload(operation.path, operation.file, onProgress).then(() => ({ type: 'uploaded' }))
    }
    return files
      .download(operation.path, openSink(operation.target), onProgress)
      .then((saved) => ({ type: 'saved', saved }))
  }

  const receive = (message: WorkerRequest) => {
    if (message.type === 'open') {
      exchange = new FileExchange(message, open, ({ failure }) => post({ type: 'ended', failure }))
    } else if (message.type === 'cancel') exchange?.end('cancelled')
    else if (exchange) {
      run(message, exchange).then(post, (error) => post({ type: 'failed', failure: failureOf(error) }))
    }
  }

  return { receive }
}

/** Reports the first and the last, and in between at most five a second. */
function throttled(report: (done: number, total: number) => void) {
  let lastReport = 0
  return (done: number, total: number) => {
    const now = performance.now()
    if (lastReport && done < total && now - lastReport < progressIntervalMs) return
    lastReport = now
    report(done, total)
  }
}

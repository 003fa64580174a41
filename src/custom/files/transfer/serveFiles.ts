import { type OpenConnection, openConnection } from '../../../api/sessionConnection.ts'
import { FileExchange } from './fileExchange.ts'
import { failureOf } from './fileFailure.ts'
import type { FileOrder, FileResult, FromFiles, ToFiles } from './messages.ts'
import { openSink } from './sinks.ts'

/** How often progress is told, in ms: figures that change faster cannot be read. */
const progressPause = 200

/** What runs in the worker: socket, counting and writing behind messages. */
export function serveFiles(post: (message: FromFiles) => void, open: OpenConnection = openConnection) {
  let exchange: FileExchange | undefined

  const run = (order: FileOrder, files: FileExchange): Promise<FileResult> => {
    const onProgress = throttled((done, total) => post({ type: 'progress', done, total }))
    if (order.type === 'list') return files.list(order.path).then((frame) => ({ type: 'listed', frame }))
    if (order.type === 'upload') {
      return files.upload(order.path, order.file, onProgress).then(() => ({ type: 'uploaded' }))
    }
    return files.download(order.path, openSink(order.target), onProgress).then((saved) => ({ type: 'saved', saved }))
  }

  const receive = (message: ToFiles) => {
    if (message.type === 'open') {
      exchange = new FileExchange(message, open, ({ failure }) => post({ type: 'ended', failure }))
    } else if (message.type === 'cancel') exchange?.end('cancelled')
    else if (exchange) {
      run(message, exchange).then(post, (error) => post({ type: 'failed', failure: failureOf(error) }))
    }
  }

  return { receive }
}

/** The first, the last, and in between no more than five a second. */
function throttled(tell: (done: number, total: number) => void) {
  let told = 0
  return (done: number, total: number) => {
    const now = performance.now()
    if (told && done < total && now - told < progressPause) return
    told = now
    tell(done, total)
  }
}

import { type HostOperations, OperationError, switchedOff, type UploadOrder } from '../../operations.ts'
import { deleteFile } from './deleteFile.ts'
import { execProgram } from './execProgram.ts'
import { toOperationError } from './fileProblem.ts'
import { listFolder } from './listFolder.ts'
import { readPart } from './readPart.ts'
import { openDownload, receiveUpload } from './transfer.ts'
import { writeWhole } from './writeWhole.ts'

/** The programs and files of this machine, with the permissions of the server's user. */
export function createLocalOperations(isAllowed: () => boolean): HostOperations {
  /** What the system refuses gets the words of agents. */
  const files =
    <Order extends { path: string }, Result>(operation: (order: Order) => Promise<Result>) =>
    async (order: Order, signal: AbortSignal): Promise<Result> => {
      if (!isAllowed()) throw new OperationError('refused', switchedOff.files)
      if (!order.path.startsWith('/')) throw new OperationError('refused', 'path must be absolute')
      signal.throwIfAborted()
      return operation(order).catch((error: unknown) => {
        throw toOperationError(error)
      })
    }

  return {
    async exec(order, signal) {
      if (isAllowed()) return execProgram(order, signal)
      return { exit_code: -1, stdout: '', stderr: '', duration_ms: 0, error: switchedOff.exec }
    },
    list: files(listFolder),
    read: files(readPart),
    write: files(writeWhole),
    remove: files(deleteFile),
    download: (path, signal) => files(openDownload)({ path }, signal),
    upload: (order, content, signal) =>
      files((order: UploadOrder) => receiveUpload(order, content, signal))(order, signal),
  }
}

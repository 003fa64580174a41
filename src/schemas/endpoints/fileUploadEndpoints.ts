import { endpoint } from '../define/endpoint.ts'
import { answerOf } from '../inspect/answer.ts'
import { filePartQuery, folderQuery } from '../inspect/files.ts'
import {
  blocksQuery,
  fileBlocks,
  leftPart,
  placedUpload,
  uploadOpening,
  uploadOrder,
  uploadPart,
  uploadPlacing,
} from '../inspect/fileUploads.ts'

const files = 'wheelhouse/servers/:id/files'
const acting = { keepsToServers: true, leadsTo: 'command', scopes: ['nezha:server:write'] } as const
const reading = { keepsToServers: true, scopes: ['nezha:server:read'] } as const

/**
 * Uploads and downloads that go on after a cut, where the machine runs programs. The content of an upload travels over
 * `ws/file/<session_id>` to `.wheelhouse-part-<upload>` in the folder of the target, and after a cut to
 * `.wheelhouse-part-<upload>.rest`.
 */
export const fileUploadEndpoints = {
  /** Begins an upload, or finds its part again: one item says how much has arrived. */
  openUpload: endpoint('POST', `${files}/upload`, { ...acting, body: uploadOpening, reply: answerOf(uploadPart) }),
  /** The part is complete: the target gets its content. */
  placeUpload: endpoint('POST', `${files}/upload/place`, {
    ...acting,
    body: uploadPlacing,
    reply: answerOf(placedUpload),
  }),
  /** Removes the part. */
  discardUpload: endpoint('POST', `${files}/upload/discard`, { ...acting, body: uploadOrder }),
  /** The parts in a folder that nobody has gone on with for a while. */
  leftParts: endpoint('GET', `${files}/left-parts`, { ...reading, query: folderQuery, reply: answerOf(leftPart) }),
  /** Checksums of parts of a file: one item. */
  fileBlocks: endpoint('GET', `${files}/blocks`, { ...reading, query: blocksQuery, reply: answerOf(fileBlocks) }),
  /** The content of a file itself, from a byte on to the end that it has now. */
  fileContent: endpoint('GET', `${files}/content`, {
    ...reading,
    query: filePartQuery,
    sends: ['application/octet-stream'],
  }),
} as const

import { endpoint } from '../define/endpoint.ts'
import { answerOf } from '../inspect/answer.ts'
import {
  checksumQuery,
  createOrder,
  deleteOrder,
  fileChecksum,
  fileItem,
  filePart,
  filePartQuery,
  fileSearchQuery,
  folderQuery,
  folderSize,
  foldersOrder,
  followedFile,
  followQuery,
  foundFile,
  measured,
  measureOrder,
  packOrder,
  rightsOrder,
  transferOrder,
  unpackOrder,
} from '../inspect/files.ts'

const files = 'wheelhouse/servers/:id/files'
const reading = { scopes: ['nezha:server:read'], keepsToServers: true } as const
const acting = { keepsToServers: true, leadsTo: 'command' } as const

/**
 * Files of a machine, by its own programs: for its owner and administrators. Only where `GET /setting` says
 * `wheelhouse.inspect`; the content of files travels over `ws/file/<session_id>`.
 */
export const fileEndpoints = {
  /** What is in a folder. */
  folder: endpoint('GET', files, { ...reading, query: folderQuery, reply: answerOf(fileItem) }),
  /** How much there is in files and folders together: one item. */
  measureFiles: endpoint('POST', `${files}/measure`, { ...reading, body: measureOrder, reply: answerOf(measured) }),
  searchFiles: endpoint('GET', `${files}/search`, { ...reading, query: fileSearchQuery, reply: answerOf(foundFile) }),
  /** The folders in a folder, the largest first. */
  folderSizes: endpoint('GET', `${files}/sizes`, { ...reading, query: folderQuery, reply: answerOf(folderSize) }),
  fileChecksum: endpoint('GET', `${files}/checksum`, {
    ...reading,
    query: checksumQuery,
    reply: answerOf(fileChecksum),
  }),
  /** A part of a file, from any byte on. */
  filePart: endpoint('GET', `${files}/part`, { ...reading, query: filePartQuery, reply: answerOf(filePart) }),
  /** What has come to a file; the first time its end. For every call after that, `file` and `offset` of the answer before. */
  followFile: endpoint('GET', `${files}/follow`, { ...reading, query: followQuery, reply: followedFile }),
  packFiles: endpoint('POST', `${files}/pack`, { ...acting, scopes: ['nezha:server:write'], body: packOrder }),
  unpackFile: endpoint('POST', `${files}/unpack`, { ...acting, scopes: ['nezha:server:write'], body: unpackOrder }),
  createFile: endpoint('POST', `${files}/create`, { ...acting, scopes: ['nezha:server:write'], body: createOrder }),
  /** New folders, in their order, with those above them. */
  createFolders: endpoint('POST', `${files}/folders`, {
    ...acting,
    scopes: ['nezha:server:write'],
    body: foldersOrder,
  }),
  moveFiles: endpoint('POST', `${files}/move`, {
    ...acting,
    scopes: ['nezha:server:write'],
    body: transferOrder,
  }),
  copyFiles: endpoint('POST', `${files}/copy`, {
    ...acting,
    scopes: ['nezha:server:write'],
    body: transferOrder,
  }),
  deleteFiles: endpoint('POST', `${files}/delete`, { ...acting, scopes: ['nezha:server:delete'], body: deleteOrder }),
  setFileRights: endpoint('POST', `${files}/rights`, { ...acting, scopes: ['nezha:server:write'], body: rightsOrder }),
} as const

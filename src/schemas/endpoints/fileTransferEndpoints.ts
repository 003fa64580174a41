import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { archiveOrder, fileTransfer, sendOrder } from '../inspect/fileTransfers.ts'

const files = 'wheelhouse/servers/:id/files'
const transfers = 'wheelhouse/file-transfers'
const acting = { keepsToServers: true, leadsTo: 'command' } as const

/** Transfers of many files that the server carries out: each person sees and ends their own. */
export const fileTransferEndpoints = {
  /** Files and folders as one archive. It waits to be downloaded, by the call below. */
  archiveFiles: endpoint('POST', `${files}/archive`, {
    ...acting,
    scopes: ['nezha:server:read'],
    body: archiveOrder,
    reply: fileTransfer,
  }),
  /** The archive itself, once. Its end is missing when it could not be completed. */
  downloadArchive: endpoint('GET', `${transfers}/:transfer/archive`, {
    scopes: ['nezha:server:read'],
    keepsToServers: true,
    sends: ['application/gzip', 'application/x-tar'],
  }),
  /** Files and folders to another machine, when those that were ordered before are over. */
  sendFiles: endpoint('POST', `${files}/send`, {
    ...acting,
    scopes: ['nezha:server:read', 'nezha:server:write'],
    body: sendOrder,
    reply: fileTransfer,
  }),
  /** Those of the person, the newest first. */
  fileTransfers: endpoint('GET', transfers, {
    scopes: ['nezha:server:read'],
    keepsToServers: true,
    reply: z.array(fileTransfer).default([]),
  }),
  /** Ends one, and forgets one that is over. */
  cancelFileTransfer: endpoint('POST', `${transfers}/:transfer/cancel`, {
    scopes: ['nezha:server:write'],
    keepsToServers: true,
  }),
} as const

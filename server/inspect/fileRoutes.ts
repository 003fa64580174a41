import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fileEndpoints as endpoints } from '../../src/schemas/endpoints/fileEndpoints.ts'
import {
  checksumQuery,
  filePartQuery,
  fileSearchQuery,
  folderQuery,
  followQuery,
} from '../../src/schemas/inspect/files.ts'
import { auditNames, auditTarget, route } from '../http/routes/route.ts'
import { bodyReader } from '../wire/apiCall.ts'
import {
  copyEntries,
  createEntry,
  createFolders,
  deleteEntries,
  moveEntries,
  packEntries,
  setRights,
  unpackArchive,
} from './fileOrders.ts'
import { type Inspector, inWords } from './inspector.ts'
import { type Order, readQuery } from './orders.ts'
import { filePart } from './subjects/fileParts.ts'
import { shownPath } from './subjects/filePaths.ts'
import { checksum, folder, folderSizes, follow, measure, search } from './subjects/files.ts'

interface FileRoutesOptions {
  inspector: Inspector
  /** Does something on a machine, and notes it in the audit log. */
  act(
    request: FastifyRequest,
    id: number,
    order: Order,
    detail: Readonly<Record<string, string | number>>,
  ): Promise<void>
}

/** The calls about files. */
export function registerFileRoutes(app: FastifyInstance, { inspector, act }: FileRoutesOptions): void {
  route(app, 'folder', endpoints.folder, ({ params, query, person }) =>
    inspector.look(person, params.id, folder, readQuery(folderQuery, query)),
  )
  route(app, 'measureFiles', endpoints.measureFiles, bodyReader(endpoints.measureFiles), (request) => {
    const { params, body, person } = request
    return inspector.look(person, params.id, measure, body)
  })
  route(app, 'searchFiles', endpoints.searchFiles, ({ params, query, person }) =>
    inspector.look(person, params.id, search, readQuery(fileSearchQuery, query)),
  )
  route(app, 'folderSizes', endpoints.folderSizes, ({ params, query, person }) =>
    inspector.look(person, params.id, folderSizes, readQuery(folderQuery, query)),
  )
  route(app, 'fileChecksum', endpoints.fileChecksum, ({ params, query, person }) =>
    inspector.look(person, params.id, checksum, readQuery(checksumQuery, query)),
  )
  route(app, 'filePart', endpoints.filePart, async ({ params, query, person, address }) => {
    const { path, offset } = readQuery(filePartQuery, query)
    const { row } = inspector.machine(person, params.id)
    const part = await inspector.look(person, params.id, filePart, { path, offset })
    if (part.items?.length) {
      const detail = { ...auditNames([row.name]), ...notedPaths([path]), offset }
      app.audit.write({ action: 'file.read', person, address, target: auditTarget('server', [params.id]), detail })
    }
    return part
  })
  route(app, 'followFile', endpoints.followFile, async ({ params, query, person, address }) => {
    const { path, file = '', offset = 0 } = readQuery(followQuery, query)
    const { row, programs } = inspector.machine(person, params.id)
    const followed = await follow(programs, { path, file, offset }).catch((error: unknown) => {
      throw inWords(error)
    })
    // Who reads a file is noted once, as for a download; whoever names another one than is there has not read this one.
    if (followed.file !== file) {
      const detail = { ...auditNames([row.name]), ...notedPaths([path]) }
      const target = auditTarget('server', [params.id])
      app.audit.write({ action: 'file.follow', person, address, target, detail })
    }
    return followed
  })
  route(
    app,
    { name: 'packFiles', audit: 'file.pack' },
    endpoints.packFiles,
    bodyReader(endpoints.packFiles),
    (request) => {
      const { params, body } = request
      return act(request, params.id, packEntries(body), { ...notedPaths(body.paths), to: shownPath(body.to) })
    },
  )
  route(
    app,
    { name: 'unpackFile', audit: 'file.unpack' },
    endpoints.unpackFile,
    bodyReader(endpoints.unpackFile),
    (request) => {
      const { params, body } = request
      return act(request, params.id, unpackArchive(body), { ...notedPaths([body.path]), to: shownPath(body.to) })
    },
  )
  route(
    app,
    { name: 'createFile', audit: 'file.create' },
    endpoints.createFile,
    bodyReader(endpoints.createFile),
    (request) => {
      const { params, body } = request
      return act(request, params.id, createEntry(body), { ...notedPaths([body.path]), kind: body.kind })
    },
  )
  route(
    app,
    { name: 'createFolders', audit: 'file.create' },
    endpoints.createFolders,
    bodyReader(endpoints.createFolders),
    (request) => {
      const { params, body } = request
      return act(request, params.id, createFolders(body), { ...notedPaths(body.paths), kind: 'folder' })
    },
  )
  route(
    app,
    { name: 'moveFiles', audit: 'file.move' },
    endpoints.moveFiles,
    bodyReader(endpoints.moveFiles),
    (request) => {
      const { params, body } = request
      return act(request, params.id, moveEntries(body), notedTransfer(body.items))
    },
  )
  route(
    app,
    { name: 'copyFiles', audit: 'file.copy' },
    endpoints.copyFiles,
    bodyReader(endpoints.copyFiles),
    (request) => {
      const { params, body } = request
      return act(request, params.id, copyEntries(body), notedTransfer(body.items))
    },
  )
  route(
    app,
    { name: 'deleteFiles', audit: 'file.delete' },
    endpoints.deleteFiles,
    bodyReader(endpoints.deleteFiles),
    (request) => {
      const { params, body } = request
      return act(request, params.id, deleteEntries(body), notedPaths(body.paths))
    },
  )
  route(
    app,
    { name: 'setFileRights', audit: 'file.rights' },
    endpoints.setFileRights,
    bodyReader(endpoints.setFileRights),
    (request) => {
      const { params, body } = request
      const { paths, mode, owner, group } = body
      const rights = { ...(mode && { mode }), ...(owner && { owner }), ...(group && { group }) }
      return act(request, params.id, setRights(body), { ...notedPaths(paths), ...rights })
    },
  )
}

/** Characters of all paths of a line in the audit log. */
const notedLength = 1024

/** The paths of an order as the audit log has them: as many as fit, and how many there are. */
export const notedPaths = (paths: readonly string[]) => ({
  path: paths.map(shownPath).join(', ').slice(0, notedLength),
  ...(paths.length > 1 && { count: paths.length }),
})

export const notedTransfer = (items: readonly { from: string; to: string }[]) => ({
  ...notedPaths(items.map(({ from }) => from)),
  to: items
    .map(({ to }) => shownPath(to))
    .join(', ')
    .slice(0, notedLength),
})

import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { importEndpoints as endpoints } from '../../src/schemas/endpoints/importEndpoints.ts'
import { createOwnedRecords } from '../api/ownedRecords.ts'
import type { Store } from '../db/store.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { ApiError, bodyReader } from '../wire/apiCall.ts'
import { createImportFiles } from './importFiles.ts'
import { createImports, type Imports } from './imports.ts'
import { type ImportData, ImportRefusal } from './readers/importData.ts'
import { type ImportFile, readImportFile } from './runImportProcess.ts'

declare module 'fastify' {
  interface FastifyInstance {
    imports: Imports
  }
}

interface ImportsOptions {
  store: Store
  log: Log
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Importing the data of other products (docs/decisions/imports.md). */
export const importsPlugin = fp(
  async (app: FastifyInstance, { store, log, now }: ImportsOptions) => {
    const { auth, configuration, recordsOf, roleOf, services } = app
    const owned = createOwnedRecords({ store, hooks: app.entityHooks, roleOf })
    const imports = createImports({ store, auth, log, configuration, recordsOf, owned, history: services, now })
    app.decorate('imports', imports)
    const files = createImportFiles(store.path, now)
    /** What was read of each file for its plan. */
    const read = new Map<string, { file: ImportFile; data: ImportData }>()

    /** Files of which a plan or an import is being made: each time it takes a process, and up to a gigabyte of memory. */
    const inUse = new Set<string>()

    /** @throws ApiError while the same is under way with this file */
    async function alone<T>(file: string, work: () => Promise<T>): Promise<T> {
      if (inUse.has(file)) throw new ApiError('this file is being read already: wait until that is done')
      inUse.add(file)
      try {
        return await work()
      } finally {
        inUse.delete(file)
      }
    }

    function forgetUnused(): void {
      const present = files.sweep()
      for (const name of read.keys()) if (!present.has(name)) read.delete(name)
    }

    route(app, 'startImportFile', endpoints.startImportFile, bodyReader(endpoints.startImportFile), async (request) => {
      forgetUnused()
      return { file: await files.start(request.body.bytes, request.person?.id ?? 0) }
    })

    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, part, done) => done(null, part))
      route(scope, 'addImportPart', endpoints.addImportPart, async (request) => {
        const { person, params, query } = request
        const part: unknown = request.body
        if (!Buffer.isBuffer(part) || part.length === 0) throw new ApiError('the part has no bytes')
        if (!/^\d{1,15}$/.test(query.offset)) throw new ApiError('offset must be a whole number')
        await files.add(params.file, person?.id ?? 0, Number(query.offset), part)
      })
    })

    route(app, 'dropImportFile', endpoints.dropImportFile, ({ params, person }) => {
      files.drop(params.file, person?.id ?? 0)
      forgetUnused()
    })

    route(app, 'planImport', endpoints.planImport, bodyReader(endpoints.planImport), async (request) => {
      const { person, params, body, address } = request
      const file = { ...body, path: files.whole(params.file, person?.id ?? 0) }
      try {
        const { data, shown } = await alone(params.file, async () => {
          const data = await readImportFile(file)
          request.judgeAgain?.()
          const { shown } = await imports.plan(data, person, address)
          return { data, shown }
        })
        request.judgeAgain?.()
        read.set(params.file, { file, data })
        return { plan: shown }
      } catch (error) {
        if (!(error instanceof ImportRefusal)) throw error
        return { refusal: { code: error.code, args: error.args } }
      }
    })

    route(
      app,
      { name: 'applyImport', audit: 'import.apply' },
      endpoints.applyImport,
      bodyReader(endpoints.applyImport),
      async (request) => {
        const { person, body, address } = request
        const { file: name, digest } = body
        files.whole(name, person?.id ?? 0)
        const planned = read.get(name)
        if (!planned) throw new ApiError('there is no plan of this file: make it first')
        const { data, file } = planned
        const judge = () => request.judgeAgain?.()
        const order = { data, digest, file, name: body.name, person, address, judge }
        const made = await alone(name, () => imports.apply(order))
        const { id, product, created, updated } = made
        addAuditDetails(request, { target: `import ${id}`, detail: { product, created, updated } })
        files.drop(name, person?.id ?? 0)
        forgetUnused()
        return made
      },
    )

    route(app, 'imports', endpoints.imports, () => imports.list())

    route(app, { name: 'undoImport', audit: 'import.undo' }, endpoints.undoImport, async (request) => {
      const kept = await imports.undo(request.params.id, request.person, () => request.judgeAgain?.())
      addAuditDetails(request, { target: `import ${request.params.id}`, detail: { kept: kept.length } })
      return { kept }
    })

    app.addHook('onClose', async () => files.close())
  },
  { name: 'imports', dependencies: ['configuration', 'services'] },
)

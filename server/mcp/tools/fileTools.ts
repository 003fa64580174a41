import { createOrder, rightsOrder, transferOrder } from '../../../src/schemas/inspect/files.ts'
import { copyEntries, createEntry, moveEntries, setRights } from '../../inspect/fileOrders.ts'
import { notedPaths, notedTransfer } from '../../inspect/fileRoutes.ts'
import type { Inspector } from '../../inspect/inspector.ts'
import { type ServerRows, serverTool } from './defineTool.ts'
import { actOn, ordered } from './orders.ts'
import { flag, object } from './outputSchema.ts'
import { argument } from './readArguments.ts'
import type { Tool } from './tool.ts'
import { badArgument } from './toolFailure.ts'

interface FileToolServices {
  servers: ServerRows
  inspector: Inspector
}

/** Paths of tools are plain text, as those of `fs.list`. */
const pathOf = (text = '') => text.replaceAll('%', '%25')

/** What `fs.list` and the others beside it, which are those of real servers, cannot do. */
export function fileTools({ servers, inspector }: FileToolServices): Tool[] {
  const { text: string, flag: whether } = argument
  const act = actOn(inspector)
  const outputSchema = object({ done: flag }, ['done'])

  const mkdir = serverTool(servers, {
    name: 'fs.mkdir',
    description: 'Makes a folder on a server.',
    scope: 'nezha:server:write',
    input: { path: string },
    required: ['server_id', 'path'],
    outputSchema,
    async run({ path }, context) {
      const order = createOrder.safeParse({ path: pathOf(path), kind: 'folder' })
      if (!order.success) throw badArgument('path is not valid')
      context.note(notedPaths([pathOf(path)]))
      return act(
        context,
        ordered(() => createEntry(order.data)),
      )
    },
  })

  const transfers = (['move', 'copy'] as const).map((verb) =>
    serverTool(servers, {
      name: `fs.${verb}`,
      description:
        verb === 'move'
          ? 'Renames or moves a file or a folder of a server.'
          : 'Copies a file, or a folder with all that is in it, on a server.',
      scope: 'nezha:server:write',
      input: { from: string, to: string, overwrite: whether },
      required: ['server_id', 'from', 'to'],
      outputSchema,
      async run({ from, to, overwrite = false }, context) {
        const order = transferOrder.safeParse({ items: [{ from: pathOf(from), to: pathOf(to) }], overwrite })
        if (!order.success) throw badArgument('from or to is not valid')
        context.note(notedTransfer(order.data.items))
        return act(
          context,
          ordered(() => (verb === 'move' ? moveEntries : copyEntries)(order.data)),
        )
      },
    }),
  )

  const rights = serverTool(servers, {
    name: 'fs.rights',
    description: 'Gives a file or a folder of a server another mode (octal), owner or group.',
    scope: 'nezha:server:write',
    input: { path: string, mode: string, owner: string, group: string, recursive: whether },
    required: ['server_id', 'path'],
    outputSchema,
    async run({ path, mode, owner, group, recursive = false }, context) {
      const given = { ...(mode && { mode }), ...(owner && { owner }), ...(group && { group }) }
      const order = rightsOrder.safeParse({ paths: [pathOf(path)], recursive, ...given })
      if (!order.success) throw badArgument(order.error.issues[0]?.message ?? 'the rights are not valid')
      context.note({ ...notedPaths([pathOf(path)]), ...given })
      return act(
        context,
        ordered(() => setRights(order.data)),
      )
    },
  })

  return [mkdir, ...transfers, rights]
}

import { fieldsIn } from '../../../src/schemas/define/values.ts'
import type { ServerRow } from '../../entities/row.ts'
import { may, mayReach } from '../../person.ts'
import { type ArgumentsOf, type ArgumentTypes, argument, readArguments } from './readArguments.ts'
import type { CallContext, Tool, ToolOptions } from './tool.ts'
import { badArgument, denied, offline } from './toolFailure.ts'

/** A tool of its declaration. */
export function defineTool<const Types extends ArgumentTypes>(options: ToolOptions<Types>): Tool {
  const { name, description, scope, input, required = [], outputSchema, run } = options
  const properties = Object.fromEntries(Object.entries(input).map(([key, { schema }]) => [key, schema]))
  return {
    name,
    description,
    ...(scope && { scope }),
    outputSchema,
    inputSchema: { type: 'object', properties, ...(required.length > 0 && { required }) },
    async call(given, context) {
      return run(readArguments(given, input), context)
    },
  }
}

/** The rows of servers, and who may do what with them. */
export interface ServerRows {
  get(id: number): ServerRow | undefined
}

type WithServer<Types extends ArgumentTypes> = Types & { server_id: typeof argument.id }

interface ServerToolOptions<Types extends ArgumentTypes> extends Omit<ToolOptions<WithServer<Types>>, 'input' | 'run'> {
  input: Types
  /** Whether the owner of the token may use it. Default: those may who may act on the server. */
  mayUse?: (context: CallContext, row: ServerRow) => boolean
  /** What is wrong with the arguments whatever server they are for. @throws ToolFailure */
  checkFirst?: (args: ArgumentsOf<WithServer<Types>>) => void
  run(args: ArgumentsOf<WithServer<Types>>, context: CallContext & { row: ServerRow }): object | Promise<object>
}

/**
 * A tool for one server, with the checks in the order of the contract (docs/contract/MCP.md#4-tool-results). A call ends
 * when its server gets another owner, or the person loses the right.
 */
export function serverTool<const Types extends ArgumentTypes>(
  servers: ServerRows,
  { input, required = [], mayUse, checkFirst, run, ...tool }: ServerToolOptions<Types>,
): Tool {
  return defineTool<WithServer<Types>>({
    ...tool,
    input: { server_id: argument.id, ...input },
    required: ['server_id', ...required.filter((name) => name !== 'server_id')],
    run(args, context) {
      checkFirst?.(args)
      const { server_id: id } = fieldsIn(args)
      if (typeof id !== 'number' || id === 0) throw badArgument('server_id required')
      const { person } = context.caller
      if (!mayReach(person, [id])) throw denied()
      const row = servers.get(id)
      if (!row) throw offline()
      const isAllowed = (now: ServerRow) => mayUse?.(context, now) ?? may(person, 'act', now, [id])
      if (!isAllowed(row)) throw denied()
      context.note({ target: `server ${id}` })
      context.endWhen(() => {
        const now = servers.get(id)
        return now?.user_id !== row.user_id || !isAllowed(now)
      })
      return run(args, { ...context, row })
    },
  })
}

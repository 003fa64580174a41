import type { ServerRow } from '../../entities/entityTable.ts'
import { type HostOperations, operationLimits } from '../../machines/hosts/operations.ts'
import type { Machines } from '../../machines/machines.ts'
import {
  argument,
  array,
  badArgument,
  type CallContext,
  flag,
  integer,
  object,
  offline,
  type ServerRows,
  serverTool,
  type Tool,
  ToolFailure,
  text,
} from './tool.ts'

export interface OperationToolServices {
  servers: ServerRows
  machines: Pick<Machines, 'connected'>
}

/** Seconds. */
const execTime = { byDefault: 30, most: 300 }
/** Bytes of each output. */
const execOutput = { byDefault: 65_536, most: operationLimits.readBytes }
/** Milliseconds in which a file operation has to be answered, and those that a program gets besides its own time. */
const answerMs = 30_000
const execGraceMs = 5000
/** Characters of a path, and of a program's name in the audit log. */
const maxPathLength = 4096
const maxNotedLength = 256

/** Programs and files on a server, by this machine or by its agent (docs/contract/AGENT.md#93-transfer-exec-fs). */
export function operationTools({ servers, machines }: OperationToolServices): Tool[] {
  const { integer: whole, text: string } = argument

  function operationsOf(row: ServerRow): HostOperations {
    const host = machines.connected(row)
    if (!host) throw offline()
    return host.operations
  }

  const exec = serverTool(servers, {
    name: 'server.exec',
    description:
      'Runs one program on a server, without a shell and without a terminal, and returns its outputs. For a shell, run ' +
      'sh with the arguments -c and the command. A program that fails is a success with its exit code.',
    scope: 'nezha:server:exec',
    input: {
      cmd: string,
      args: argument.texts,
      cwd: string,
      env: argument.textByName,
      stdin: string,
      timeout_seconds: whole({ minimum: 1, maximum: execTime.most }),
      max_output_bytes: whole(),
    },
    required: ['server_id', 'cmd'],
    outputSchema: object(
      {
        duration_ms: integer,
        exit_code: integer,
        stderr: text,
        stderr_truncated: flag,
        stdout: text,
        stdout_truncated: flag,
        timed_out: flag,
      },
      ['exit_code', 'stdout', 'stderr', 'duration_ms'],
    ),
    checkFirst({ timeout_seconds: seconds = 0 }) {
      if (seconds < 0 || seconds > execTime.most) {
        throw badArgument(`timeout_seconds out of range; must be 1..${execTime.most}`)
      }
    },
    async run({ cmd = '', args, env, cwd, stdin, timeout_seconds, max_output_bytes = 0 }, { row, signal, note }) {
      if (cmd === '') throw badArgument('cmd required')
      note({ program: cmd.slice(0, maxNotedLength) })
      const operations = operationsOf(row)
      const seconds = timeout_seconds || execTime.byDefault
      const bytes = max_output_bytes > 0 ? Math.min(max_output_bytes, execOutput.most) : execOutput.byDefault
      const result = await operations.exec(
        {
          cmd,
          timeout_seconds: seconds,
          max_output_bytes: bytes,
          ...(args && { args }),
          ...(env !== undefined && env !== null && { env: env as Record<string, string> }),
          ...(cwd && { cwd }),
          ...(stdin && { stdin }),
        },
        AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000 + execGraceMs)]),
      )
      note({ exit_code: result.exit_code })
      if (result.error) throw new ToolFailure('agent_error', `agent_error: ${result.error}`, result)
      return result
    },
  })

  /** The path of an order, noted in the audit log. */
  function pathOf(path: string, { note }: Pick<CallContext, 'note'>): string {
    if (path === '') throw badArgument('path required')
    if (path.length > maxPathLength) throw badArgument('path too long')
    note({ path })
    return path
  }
  const timeLimit = ({ signal }: CallContext) => AbortSignal.any([signal, AbortSignal.timeout(answerMs)])

  const list = serverTool(servers, {
    name: 'fs.list',
    description: 'Lists a directory of a server, not sorted and at most 5000 entries.',
    scope: 'nezha:server:read',
    input: { path: string, show_hidden: argument.flag },
    required: ['server_id', 'path'],
    outputSchema: object(
      {
        entries: array(
          object(
            {
              is_symlink: flag,
              link_target: text,
              mode: text,
              mtime: integer,
              name: text,
              size: integer,
              type: text,
            },
            ['name', 'type', 'size', 'mode', 'mtime'],
          ),
        ),
        total: integer,
        truncated: flag,
      },
      ['entries'],
    ),
    run({ path = '', show_hidden = false }, context) {
      const order = { path: pathOf(path, context), show_hidden }
      return operationsOf(context.row).list(order, timeLimit(context))
    },
  })

  const read = serverTool(servers, {
    name: 'fs.read',
    description:
      'Reads a file of a server or a part of it, at most 1 MiB at once. Ask for base64 when it may not be UTF-8 text.',
    scope: 'nezha:server:read',
    input: {
      path: string,
      offset: whole({ minimum: 0 }),
      length: whole({ minimum: 1 }),
      encoding: argument.encoding,
    },
    required: ['server_id', 'path'],
    outputSchema: object({ content: text, encoding: text, sha256: text, size: integer, truncated: flag }, [
      'content',
      'encoding',
      'size',
    ]),
    run({ path = '', offset = 0, length = 0, encoding }, context) {
      const order = {
        path: pathOf(path, context),
        encoding: encodingOf(encoding),
        ...(offset !== 0 && { offset }),
        ...(length !== 0 && { length }),
      }
      return operationsOf(context.row).read(order, timeLimit(context))
    },
  })

  const write = serverTool(servers, {
    name: 'fs.write',
    description:
      'Replaces a file of a server, or makes it. For more than 4 MB use fs.upload_url. With if_match_sha256 it is written ' +
      'only if its content has not changed since it was read.',
    scope: 'nezha:server:write',
    input: {
      path: string,
      content: string,
      encoding: argument.encoding,
      mode: string,
      if_match_sha256: string,
      create_dirs: argument.flag,
    },
    required: ['server_id', 'path', 'content'],
    outputSchema: object({ sha256: text, size: integer }, ['size', 'sha256']),
    run({ path = '', content = '', encoding, mode, if_match_sha256, create_dirs }, context) {
      const order = {
        path: pathOf(path, context),
        content,
        encoding: encodingOf(encoding),
        ...(mode && { mode }),
        ...(if_match_sha256 && { if_match_sha256 }),
        ...(create_dirs && { create_dirs }),
      }
      return operationsOf(context.row).write(order, timeLimit(context))
    },
  })

  const remove = serverTool(servers, {
    name: 'fs.delete',
    description: 'Deletes a file, a link or an empty directory of a server; with recursive also a full one.',
    scope: 'nezha:server:delete',
    input: { path: string, recursive: argument.flag },
    required: ['server_id', 'path'],
    outputSchema: object({ deleted_count: integer }, ['deleted_count']),
    run({ path = '', recursive = false }, context) {
      const order = { path: pathOf(path, context), recursive }
      return operationsOf(context.row).remove(order, timeLimit(context))
    },
  })

  return [exec, list, read, write, remove]
}

/** @throws ToolFailure */
function encodingOf(encoding = ''): 'utf8' | 'base64' {
  if (encoding === '' || encoding === 'utf8') return 'utf8'
  if (encoding === 'base64') return encoding
  throw badArgument(`unknown encoding: ${encoding.slice(0, 64)}`)
}

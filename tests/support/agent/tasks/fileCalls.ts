import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TaskResultMessage } from '../agentMessages.ts'
import { fileCallErrorText } from '../goErrorText.ts'

type Answer = Omit<TaskResultMessage, 'id' | 'type'>

/** The tasks 16 to 19 (docs/contract/AGENT.md#93-transfer-exec-fs). `successful` is true also when there is an error. */
const reply = (fields: object): Answer => ({ data: JSON.stringify(fields), successful: true })

const off = 'agent disabled file operations'
const mostReadBytes = 1_048_576

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export async function listFolder(text: string, isOff: boolean): Promise<Answer> {
  const refuse = (error: string) => reply({ entries: null, error })
  if (isOff) return refuse(off)
  const { path, show_hidden } = JSON.parse(text) as { path: string; show_hidden?: boolean }
  try {
    const names = (await readdir(path)).filter((name) => show_hidden || !name.startsWith('.'))
    const entries = await Promise.all(
      names.map(async (name) => {
        const found = await lstat(join(path, name))
        const type = found.isDirectory() ? 'dir' : found.isSymbolicLink() ? 'symlink' : 'file'
        const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
        return { name, type, size: found.size, mode, mtime: Math.floor(found.mtimeMs / 1000) }
      }),
    )
    return reply({ entries, total: entries.length })
  } catch (error) {
    return refuse(fileCallErrorText(error))
  }
}

export async function readPart(text: string, isOff: boolean): Promise<Answer> {
  const refuse = (error: string) => reply({ content: '', encoding: '', size: 0, error })
  if (isOff) return refuse(off)
  const order = JSON.parse(text) as { path: string; offset?: number; length?: number; encoding?: 'utf8' | 'base64' }
  try {
    const { offset = 0, encoding = 'utf8' } = order
    const whole = await readFile(order.path)
    const part = whole.subarray(offset, offset + Math.min(order.length ?? mostReadBytes, mostReadBytes))
    const truncated = offset + part.length < whole.length
    return reply({
      content: part.toString(encoding),
      encoding,
      size: part.length,
      sha256: sha256(part),
      ...(truncated && { truncated }),
    })
  } catch (error) {
    return refuse(fileCallErrorText(error))
  }
}

interface WriteOrder {
  path: string
  content: string
  encoding?: 'utf8' | 'base64'
  mode?: string
  if_match_sha256?: string
  create_dirs?: boolean
}

export async function writeWhole(text: string, isOff: boolean): Promise<Answer> {
  const refuse = (error: string) => reply({ size: 0, sha256: '', error })
  if (isOff) return refuse(off)
  const order = JSON.parse(text) as WriteOrder
  try {
    if (order.if_match_sha256) {
      const present = await readFile(order.path).catch(() => undefined)
      if (!present) return refuse('if_match precondition failed: file does not exist')
      if (sha256(present) !== order.if_match_sha256) return refuse('if_match precondition failed: sha256 differs')
    }
    if (order.create_dirs) await mkdir(dirname(order.path), { recursive: true })
    const content = Buffer.from(order.content, order.encoding ?? 'utf8')
    await writeFile(order.path, content, { mode: Number.parseInt(order.mode ?? '0644', 8) })
    return reply({ size: content.length, sha256: sha256(content) })
  } catch (error) {
    return refuse(fileCallErrorText(error))
  }
}

export async function deleteFile(text: string, isOff: boolean): Promise<Answer> {
  const refuse = (error: string) => reply({ deleted_count: 0, error })
  if (isOff) return refuse(off)
  const { path, recursive } = JSON.parse(text) as { path: string; recursive?: boolean }
  try {
    await stat(path)
    await rm(path, { recursive: recursive ?? false })
    return reply({ deleted_count: 1 })
  } catch (error) {
    return refuse(fileCallErrorText(error))
  }
}

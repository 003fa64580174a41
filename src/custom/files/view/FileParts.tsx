import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { useEvent } from 'react-admin'
import CodeEditor from '../../../components/CodeEditor.tsx'
import { formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { fileLimits } from '../../../schemas/inspect/files.ts'
import { replacingText } from './textFile.ts'

/** Some bytes of a file, and how many it has. */
interface FileBytes {
  bytes: Uint8Array
  size: number
}

/** Reads up to `fileLimits.partBytes` of a file. @throws Error in words */
export type ReadPart = (offset: number) => Promise<FileBytes>

const { partBytes } = fileLimits

interface FilePartsProps {
  read: ReadPart
  name: string
  isHex: boolean
}

/** A file part by part, from any byte on, in hexadecimal digits or as text. */
export function FileParts({ read, name, isHex }: FilePartsProps) {
  const { translate, locale } = useLanguage()
  const id = useId()
  const [offset, setOffset] = useState(0)
  const [typed, setTyped] = useState('0')
  const [part, setPart] = useState<FileBytes & { offset: number }>()
  const [problem, setProblem] = useState<string>()
  const readAt = useEvent(read)
  useEffect(() => {
    let isOpen = true
    readAt(offset).then(
      (found) => {
        if (!isOpen) return
        setPart({ ...found, offset })
        setProblem(undefined)
      },
      (error: unknown) => isOpen && setProblem(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isOpen = false
    }
  }, [offset, readAt])
  const size = part?.size ?? 0
  const wanted = typedOffset(typed)
  const go = (to: number) => {
    setOffset(to)
    setTyped(String(to))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A dump is read by its lines.
    if (wanted !== undefined) go(wanted - (wanted % 16))
  }
  const last = Math.max(0, Math.ceil(size / partBytes) - 1) * partBytes
  const number = (value: number) => formatNumber(value, locale)
  return (
    <>
      <Bar onSubmit={submit}>
        <Button type="button" disabled={offset === 0} onClick={() => go(Math.max(0, offset - partBytes))}>
          {translate('app.list.previous_page')}
        </Button>
        <Button type="button" disabled={offset + partBytes >= size} onClick={() => go(offset + partBytes)}>
          {translate('app.list.next_page')}
        </Button>
        <label htmlFor={id}>{translate('app.files.offset')}</label>
        <OutlinedInput
          id={id}
          size="small"
          value={typed}
          error={wanted === undefined || (part !== undefined && wanted > size)}
          onChange={({ target }) => setTyped(target.value)}
          slotProps={{ input: { spellCheck: false, inputMode: 'text' } }}
          sx={{ width: 160, '& input': { fontFamily: 'var(--mono)', paddingBlock: '5px' } }}
        />
        <Button type="button" disabled={offset >= last} onClick={() => go(last)}>
          {translate('app.files.end')}
        </Button>
        {part ? (
          <span role="status">
            {translate('app.files.bytes_of', {
              from: number(part.offset),
              to: number(part.offset + part.bytes.length),
              size: number(size),
            })}
          </span>
        ) : null}
      </Bar>
      {problem ? <Alert severity="error">{problem}</Alert> : null}
      {part ? (
        <CodeEditor
          value={isHex ? hexDump(part.bytes, part.offset) : replacingText(part.bytes)}
          readOnly
          label={name}
          height="min(58vh, 680px)"
        />
      ) : null}
    </>
  )
}

const Bar = styled('form')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0.5, 1),
  marginBottom: theme.spacing(1),
  fontSize: 13,
  '& > span': { fontVariantNumeric: 'tabular-nums' },
}))

const perLine = 16

/**
 * Offset, bytes and what of them is plain ASCII, as `hexdump -C` prints it: a line of text for each sixteen bytes.
 * @param offset of the first byte
 */
export function hexDump(bytes: Uint8Array, offset = 0): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += perLine) {
    const part = Array.from(bytes.subarray(at, at + perLine))
    const digits = part.map((byte) => byte.toString(16).padStart(2, '0'))
    const halves = [digits.slice(0, 8).join(' ').padEnd(23), digits.slice(8).join(' ').padEnd(23)]
    const text = part.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${(offset + at).toString(16).padStart(8, '0')}  ${halves.join('  ')}  |${text}|`)
  }
  return lines.join('\n')
}

/** A byte to go to as a person types it: `4096`, `0x1000`; `undefined` for anything else. */
export function typedOffset(text: string): number | undefined {
  const typed = text.trim()
  const offset = /^(?:\d+|0x[\da-f]+)$/i.test(typed) ? Number(typed) : undefined
  return Number.isSafeInteger(offset) ? offset : undefined
}

import PauseIcon from '@mui/icons-material/Pause'
import PlayArrowIcon from '@mui/icons-material/PlayArrow'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useDeferredValue, useEffect, useState } from 'react'
import { useDataProvider, useEvent } from 'react-admin'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { ActionDialog, CloseFooter } from '../../../engine/parts/ActionDialog.tsx'
import { LogView, type ShownLine } from '../../../resources/server/inspect/LogView.tsx'
import { foundRows, SearchField } from '../../../resources/server/inspect/SubjectPanel.tsx'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import type { FollowedFile } from '../../../schemas/inspect/files.ts'
import { pathText } from '../transfer/entries.ts'
import type { RawPath } from '../transfer/remotePath.ts'

interface FollowDialogProps {
  serverId: number
  path: RawPath
  name: string
  onClose: () => void
}

/** The end of a file as it grows, with a search in what is shown. */
export function FollowDialog({ serverId, path, name, onClose }: FollowDialogProps) {
  const { locale, translate } = useLanguage()
  const { lines, last, failure, isHeld, setHeld } = useFollowedFile(serverId, path)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const shown = foundRows(lines, search, ({ message }) => message)
  return (
    <ActionDialog title={translate('app.files.follow_title', { name })} onClose={onClose} width={1200}>
      <DialogContent aria-busy={!last && !failure}>
        <Stack direction="row" sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 1.5, marginBottom: 1.5 }}>
          <SearchField value={typed} onChange={setTyped} />
          <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {last ? formatBytes(last.size, locale) : ' '}
          </Typography>
          <Button
            size="small"
            startIcon={isHeld ? <PlayArrowIcon fontSize="small" /> : <PauseIcon fontSize="small" />}
            onClick={() => setHeld(!isHeld)}
            sx={{ marginInlineStart: 'auto' }}
          >
            {translate(isHeld ? 'app.inspect.go_on' : 'app.inspect.hold')}
          </Button>
        </Stack>
        {failure ? (
          <Alert severity="warning" sx={{ marginBottom: 1 }}>
            {failure}
          </Alert>
        ) : null}
        <LogView label={name} lines={shown} empty={last ? translate('app.inspect.logs.none') : ''} />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

/** What is kept on screen: lines, and characters of them; and how long a piece of a line is. */
const kept = { lines: 10_000, characters: 4 * 1024 * 1024, piece: 8192 } as const
/** Milliseconds between two questions, and after one that failed. */
const pollMs = { next: 1000, more: 50, failed: 3000 } as const
/** As a log has it: shown like a warning. */
const noticePriority = 4

/** The end of a file as it grows. It is asked for while this is drawn, in view and not held. */
function useFollowedFile(serverId: number, path: RawPath) {
  const { locale, translate } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [lines, setLines] = useState<readonly ShownLine[]>([])
  const [last, setLast] = useState<FollowedFile>()
  const [failure, setFailure] = useState<string>()
  const [isHeld, setHeld] = useState(false)

  const ask = useEvent(async (known: FollowedFile | undefined): Promise<FollowedFile> => {
    const place = known && { file: known.file, offset: known.offset }
    return await call(fileEndpoints.followFile, { id: serverId, path: pathText(path), ...place })
  })
  const take = useEvent((found: FollowedFile, known: FollowedFile | undefined) => {
    const notices = [
      ...(found.change ? [translate(`app.files.follow_${found.change}`)] : []),
      // At the beginning it is what comes before the end, and nobody has asked for it.
      ...(found.skipped && known
        ? [translate('app.files.follow_skipped', { size: formatBytes(found.skipped, locale) })]
        : []),
    ].map((message) => ({ message, priority: noticePriority }))
    setLast(found)
    setFailure(undefined)
    if (notices.length || found.text) setLines((now) => boundedLines([...now, ...notices, ...linesOf(found.text)]))
  })
  const failed = useEvent((error: unknown) => {
    const message = error instanceof Error ? error.message : ''
    setFailure(translate(message || 'app.toast.unexpected'))
  })
  const start = useEvent(() => last)

  useEffect(() => {
    if (isHeld) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let known = start()
    const next = async () => {
      let wait: number = pollMs.next
      try {
        if (!document.hidden) {
          const found = await ask(known)
          if (isOver) return
          take(found, known)
          known = found
          if (found.more) wait = pollMs.more
        }
      } catch (error) {
        if (isOver) return
        failed(error)
        wait = pollMs.failed
      }
      timer = setTimeout(() => void next(), wait)
    }
    void next()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isHeld, ask, take, failed, start])

  const rest = last?.rest ? linesOf(last.rest) : []
  return { lines: rest.length ? [...lines, ...rest] : lines, last, failure, isHeld, setHeld }
}

const linesOf = (text: string): ShownLine[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line) => piecesOf(line.replace(/\r$/, '')).map((message) => ({ message })))

/** A line without end would be drawn whole. */
const piecesOf = (line: string): string[] =>
  line.length <= kept.piece ? [line] : (line.match(new RegExp(`[^]{1,${kept.piece}}`, 'g')) ?? [])

/** The last lines, as many as are kept. */
function boundedLines(lines: readonly ShownLine[]): readonly ShownLine[] {
  let characters = 0
  let from = lines.length
  while (from > 0 && lines.length - from < kept.lines && characters < kept.characters) {
    from -= 1
    characters += lines[from]?.message.length ?? 0
  }
  return from === 0 ? lines : lines.slice(from)
}

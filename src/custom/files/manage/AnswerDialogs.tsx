import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { ActionDialog, CloseFooter } from '../../../engine/parts/ActionDialog.tsx'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import { joinPath, nameOf, parentOf, pathText, type RawPath, rawOfText, shownPath } from '../transfer/remotePath.ts'

interface AnswerDialogProps {
  serverId: number
  path: RawPath
  onClose: () => void
}

/** The folders in a folder, the largest first. */
export function SizesDialog({
  serverId: id,
  path,
  onGo,
  onClose,
}: AnswerDialogProps & { onGo: (path: RawPath) => void }) {
  const { locale, translate } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error } = useQuery({
    queryKey: ['files', id, 'sizes', path],
    queryFn: () => call(fileEndpoints.folderSizes, { id, path: pathText(path) }),
    gcTime: 0,
    retry: false,
  })
  const problem = error?.message ?? data?.reason
  return (
    <AnswerFrame
      title={translate('app.files.manage.sizes_title', { path: shownPath(path) })}
      isPending={!data && !error}
      problem={problem}
      onClose={onClose}
    >
      {data && !problem ? (
        <FoundList
          status={translate('app.files.manage.folders', { smart_count: data.items.length })}
          items={data.items.map(({ name, bytes }) => ({ raw: rawOfText(name), detail: formatBytes(bytes, locale) }))}
          onChoose={(raw) => onGo(joinPath(path, raw))}
        />
      ) : null}
    </AnswerFrame>
  )
}

/** The SHA-256 of a file. */
export function ChecksumDialog({ serverId: id, path, name, onClose }: AnswerDialogProps & { name: string }) {
  const { translate } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error } = useQuery({
    queryKey: ['files', id, 'checksum', path],
    queryFn: () => call(fileEndpoints.fileChecksum, { id, path: pathText(path) }),
    gcTime: 0,
    retry: false,
  })
  const [item] = data?.items ?? []
  return (
    <AnswerFrame
      title={translate('app.files.manage.checksum_title', { name })}
      width={600}
      isPending={!data && !error}
      problem={error?.message ?? data?.reason}
      onClose={onClose}
    >
      {item ? (
        <p style={{ display: 'flex', alignItems: 'center', gap: 8, margin: 0 }}>
          <code style={{ overflowWrap: 'anywhere' }}>{item.sha256}</code>
          <CopyButton text={item.sha256} />
        </p>
      ) : null}
    </AnswerFrame>
  )
}

interface AnswerFrameProps {
  title: string
  width?: number
  isPending: boolean
  problem?: string
  onClose: () => void
  /** The answer, once it is there. */
  children: ReactNode
}

function AnswerFrame({ title, width, isPending, problem, onClose, children }: AnswerFrameProps) {
  const { translate } = useLanguage()
  return (
    <ActionDialog title={title} onClose={onClose} width={width}>
      <DialogContent>
        {isPending ? <LinearProgress aria-label={translate('app.list.loading')} /> : null}
        {problem ? <Alert severity="error">{problem}</Alert> : null}
        {children}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

interface SearchDialogProps {
  serverId: number
  /** The folder that is open. */
  path: RawPath
  onGo: (folder: RawPath, active: RawPath) => void
  onClose: () => void
}

/** Searches below a folder: by a part of the name, and by what is in the files. */
export function SearchDialog({ serverId: id, path, onGo, onClose }: SearchDialogProps) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<{ name: string; text: string }>()
  const { data, error, isFetching } = useQuery({
    queryKey: ['files', id, 'search', path, asked],
    queryFn: () => call(fileEndpoints.searchFiles, { id, path: pathText(path), ...asked }),
    enabled: asked !== undefined,
    gcTime: 0,
    retry: false,
  })
  const problem = error?.message ?? data?.reason
  const found = data?.items ?? []
  return (
    <ActionDialog title={translate('app.files.manage.search_title', { path: shownPath(path) })} onClose={onClose}>
      <form
        style={{ display: 'contents' }}
        onSubmit={(event) => {
          event.preventDefault()
          if (name || text) setAsked({ name, text })
        }}
      >
        <DialogContent sx={{ display: 'grid', gap: 2, '&&': { paddingTop: 1 } }}>
          <TextField
            label={translate('app.files.manage.search_name')}
            value={name}
            autoFocus
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            label={translate('app.files.manage.search_text')}
            helperText={translate('app.files.manage.search_help')}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          {isFetching ? <LinearProgress aria-label={translate('app.list.loading')} /> : null}
          {problem ? <Alert severity="error">{problem}</Alert> : null}
          {data && !problem ? (
            <FoundList
              status={translate('app.files.manage.found', { smart_count: found.length })}
              items={found.map((item) => ({ raw: rawOfText(item.path) }))}
              onChoose={(raw) => {
                const whole = joinPath(path, raw)
                onGo(parentOf(whole) ?? '/', nameOf(whole))
              }}
            />
          ) : null}
          {data?.truncated ? (
            <Alert severity="info">{translate('app.files.manage.more_found', { count: found.length })}</Alert>
          ) : null}
        </DialogContent>
        <DialogActions>
          <Button onClick={onClose}>{translate('app.action.close')}</Button>
          <Button type="submit" variant="contained" disabled={isFetching || (!name && !text)}>
            {translate('app.files.manage.search')}
          </Button>
        </DialogActions>
      </form>
    </ActionDialog>
  )
}

interface FoundListProps {
  /** How many there are. */
  status: string
  items: readonly { raw: RawPath; detail?: ReactNode }[]
  onChoose: (raw: RawPath) => void
}

/** Files or folders by path, which lead there. */
function FoundList({ status, items, onChoose }: FoundListProps) {
  return (
    <div>
      <p role="status" style={{ margin: '0 0 8px', fontSize: 13 }}>
        {status}
      </p>
      <List>
        {items.map(({ raw, detail }) => (
          <li key={raw}>
            <button type="button" onClick={() => onChoose(raw)}>
              {shownPath(raw)}
            </button>
            {detail ? <span>{detail}</span> : null}
          </li>
        ))}
      </List>
    </div>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  maxHeight: '45vh',
  overflow: 'auto',
  fontSize: 13,
  '& > li': {
    display: 'flex',
    gap: theme.spacing(2),
    paddingBlock: 3,
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
  '& > li > span': { flex: 'none', fontVariantNumeric: 'tabular-nums' },
  '& > li > button': {
    all: 'unset',
    flex: 1,
    minWidth: 0,
    overflowWrap: 'anywhere',
    cursor: 'pointer',
    color: theme.vars.palette.primary.main,
    '&:hover': { textDecoration: 'underline' },
    '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
  },
}))

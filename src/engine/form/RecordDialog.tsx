import Alert from '@mui/material/Alert'
import CircularProgress from '@mui/material/CircularProgress'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { styled } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type KeyboardEvent, Suspense, use, useId, useRef, useState } from 'react'
import { type RaRecord, useGetOne, useLocation, useTranslate } from 'react-admin'
import { mayOn } from '../../schemas/define/access.ts'
import { AnnouncedFeaturesContext, usePageTitle } from '../define/page.tsx'
import { useScreen } from '../define/screen.ts'
import { CloseFooter } from '../parts/ActionDialog.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'
import type { DuplicateState } from './newValues.ts'
import { RecordForm } from './RecordForm.tsx'

const HistoryPanel = lazyPart(() => import('./HistoryPanel.tsx'))

interface RecordDialogProps {
  /** The record to edit; left out to create one. */
  id?: string
  onClose: () => void
}

/** A record's form over its list, at an address of its own: the back button closes it. */
export default function RecordDialog({ id, onClose: close }: RecordDialogProps) {
  const titleId = useId()
  const isNarrow = useMediaQuery('(max-width: 600px)', { noSsr: true })
  const { state } = useLocation()
  const [copyOf] = useState((state as DuplicateState | null)?.duplicate)
  return (
    <Dialog
      open
      onClose={close}
      aria-labelledby={titleId}
      fullScreen={isNarrow}
      fullWidth
      maxWidth={false}
      slotProps={{ paper: { sx: { maxWidth: 640 } } }}
    >
      {id === undefined && copyOf === undefined ? (
        <OpenForm titleId={titleId} onClose={close} />
      ) : id === undefined ? (
        <CopiedRecord id={String(copyOf)} titleId={titleId} onClose={close} />
      ) : (
        <EditedRecord id={id} titleId={titleId} onClose={close} />
      )}
    </Dialog>
  )
}

interface PartProps {
  titleId: string
  onClose: () => void
}

/** Waits for the record as the server has it. The opened record does not change while somebody edits it. */
function EditedRecord({ id, ...part }: PartProps & { id: string }) {
  const { entity } = useScreen()
  const { data, error, isFetching } = useGetOne(entity.name, { id })
  const [opened, setOpened] = useState<RaRecord>()
  if (!opened && data && !isFetching) setOpened(data)
  if (opened && !mayOn(opened, 'configure')) return <Waiting {...part} error={new Error('app.form.read_only')} />
  if (opened) return <OpenForm {...part} record={opened} />
  return <Waiting {...part} error={error} />
}

/** A new record that begins as a copy of another. */
function CopiedRecord({ id, ...part }: PartProps & { id: string }) {
  const { entity } = useScreen()
  const { data, error } = useGetOne(entity.name, { id })
  const [original, setOriginal] = useState<RaRecord>()
  if (!original && data) setOriginal(data)
  if (original) return <OpenForm {...part} original={original} />
  return <Waiting {...part} error={error} />
}

function OpenForm({ titleId, onClose, record, original }: PartProps & { record?: RaRecord; original?: RaRecord }) {
  const { texts, translate } = useScreen()
  const hasTabs = record !== undefined && use(AnnouncedFeaturesContext)?.has('changes')
  const [tab, setTab] = useState<RecordTab>('form')
  const panel = (name: RecordTab) => ({
    role: 'tabpanel',
    id: `${titleId}-${name}-panel`,
    'aria-labelledby': `${titleId}-${name}`,
    style: { display: name === tab ? 'contents' : 'none' },
  })
  const title = record
    ? translate('app.form.edit_title', { what: texts.what([record]) })
    : translate('app.form.create_title', { entity: texts.singular })
  usePageTitle(title)
  return (
    <>
      <DialogTitle id={titleId} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {hasTabs ? <RecordTabs current={tab} onChange={setTab} id={titleId} /> : null}
      {/*
        The same element with and without tabs: they may appear later, with the settings, and the form must not be
        mounted again, or what was typed would be lost.
      */}
      <div {...(hasTabs ? panel('form') : { style: { display: 'contents' } })}>
        <RecordForm record={record} original={original} onClose={onClose} />
      </div>
      {hasTabs ? (
        <div {...panel('history')}>
          {tab === 'history' ? (
            <Suspense>
              <HistoryPanel record={record} onClose={onClose} />
            </Suspense>
          ) : null}
        </div>
      ) : null}
    </>
  )
}

function Waiting({ titleId, onClose, error }: PartProps & { error: unknown }) {
  const { texts } = useScreen()
  const translate = useTranslate()
  const message = error instanceof Error ? error.message : ''
  return (
    <>
      <DialogTitle id={titleId}>{texts.singular}</DialogTitle>
      <DialogContent aria-busy={!error}>
        {error ? <Alert severity="error">{translate(message || 'app.toast.unexpected')}</Alert> : <CircularProgress />}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </>
  )
}

const recordTabs = ['form', 'history'] as const
type RecordTab = (typeof recordTabs)[number]

interface RecordTabsProps {
  current: RecordTab
  onChange: (tab: RecordTab) => void
  /** The ids of tabs and panels begin with it. */
  id: string
}

/** The tabs of a record's dialog. As everywhere, the arrow keys move between them. */
function RecordTabs({ current, onChange, id }: RecordTabsProps) {
  const translate = useTranslate()
  const bar = useRef<HTMLDivElement>(null)
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    const other = current === 'form' ? 'history' : 'form'
    onChange(other)
    bar.current?.querySelector<HTMLElement>(`[data-tab=${other}]`)?.focus()
  }
  return (
    <Bar ref={bar} role="tablist" aria-label={translate('app.changes.tabs')} onKeyDown={onKeyDown}>
      {recordTabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          data-tab={tab}
          id={`${id}-${tab}`}
          aria-controls={`${id}-${tab}-panel`}
          aria-selected={tab === current}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => onChange(tab)}
        >
          {translate(`app.changes.tab.${tab}`)}
        </button>
      ))}
    </Bar>
  )
}

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(2),
  padding: '0 24px',
  '& > button': {
    ...theme.typography.body2,
    padding: '6px 0',
    border: 0,
    borderBottom: '2px solid transparent',
    color: theme.vars.palette.text.secondary,
    backgroundColor: 'transparent',
    cursor: 'pointer',
    [theme.breakpoints.down('sm')]: { minHeight: 44, minWidth: 44 },
  },
  '& > button[aria-selected=true]': {
    color: theme.vars.palette.text.primary,
    borderBottomColor: theme.vars.palette.primary.main,
  },
}))

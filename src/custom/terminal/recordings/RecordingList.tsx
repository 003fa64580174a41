import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LinkBase, useBasename, useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatBytes, formatDateTime, formatDuration, type Translate } from '../../../components/format/format.ts'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { PendingData, useToast } from '../../../engine/parts/ActionDialog.tsx'
import { type Recording, terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { PlainList } from '../../profile/PlainList.tsx'

/** Entries of one page, as the server sends them. */
const pageSize = 100

/** The recorded terminals that a person may see; each is played on a page of its own. */
export function RecordingList() {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const basename = useBasename()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [search, setSearch] = useState('')
  const [offset, setOffset] = useState(0)
  const [deleting, setDeleting] = useState<Recording>()
  const text = (key: string, args?: object) => translate(`app.terminal.recordings.${key}`, args)
  const { data, error, refetch } = useQuery({
    queryKey: ['recordings', 'list', search, offset],
    queryFn: () => call(terminalEndpoints.recordings, { search, offset }),
    placeholderData: keepPreviousData,
  })
  const named = (recording: Recording) => recordingName(recording, locale)
  const remove = async ({ id }: Recording) => {
    setDeleting(undefined)
    try {
      await call(terminalEndpoints.deleteRecording, { recording: id })
      toast.show({ key: 'app.terminal.recordings.deleted' })
    } catch (failure) {
      toast.showError(failure)
    }
    await refetch()
  }
  return (
    <>
      <TextField
        type="search"
        size="small"
        label={text('search')}
        value={search}
        onChange={({ target }) => {
          setSearch(target.value)
          setOffset(0)
        }}
        sx={{ width: 280, maxWidth: '100%', marginBottom: 1 }}
      />
      <PendingData data={data} error={error} onRetry={refetch} />
      {data?.total === 0 ? <p>{text(search ? 'not_found' : 'empty')}</p> : null}
      <List aria-label={text('title')}>
        {data?.items.map((recording) => {
          const { id, server_name, is_running, may_delete } = recording
          return (
            <li key={id}>
              <strong>{server_name}</strong>
              <span>{recordingFacts(recording, locale, translate).join(' · ')}</span>
              <Button
                variant="outlined"
                color="inherit"
                component={LinkBase}
                to={`${basename}/terminals/recordings/${encodeURIComponent(id)}`}
                aria-label={text('play_named', named(recording))}
              >
                {text('play')}
              </Button>
              <DownloadLink recording={recording} />
              {may_delete ? (
                <Button
                  color="error"
                  disabled={is_running}
                  aria-label={text('delete_title', named(recording))}
                  onClick={() => setDeleting(recording)}
                >
                  {translate('app.action.delete')}
                </Button>
              ) : null}
            </li>
          )
        })}
      </List>
      {data && data.total > pageSize ? (
        <p>
          <Button disabled={offset === 0} onClick={() => setOffset(offset - pageSize)}>
            {text('newer')}
          </Button>
          <Button disabled={offset + pageSize >= data.total} onClick={() => setOffset(offset + pageSize)}>
            {text('older')}
          </Button>
        </p>
      ) : null}
      {deleting ? (
        <QuestionDialog
          title={text('delete_title', named(deleting))}
          button={translate('app.action.delete')}
          onConfirm={() => void remove(deleting)}
          onCancel={() => setDeleting(undefined)}
        />
      ) : null}
    </>
  )
}

const List = styled(PlainList)(({ theme }) => ({
  '& strong': { minWidth: 120, fontWeight: 600, overflowWrap: 'anywhere' },
  '& span': { flex: 1, minWidth: 200, color: theme.vars.palette.text.secondary },
  [theme.breakpoints.down('sm')]: { '& strong, & span': { flex: '1 0 100%' } },
}))

/** The server and the time, as arguments of texts. */
const recordingName = ({ server_name: name, began_at }: Recording, locale: string) => ({
  name,
  time: formatDateTime(Date.parse(began_at), locale, 'short'),
})

/** Who, when, how long and how much. */
export function recordingFacts(recording: Recording, locale: string, translate: Translate): string[] {
  const { username, seconds, bytes, is_running } = recording
  return [
    username,
    recordingName(recording, locale).time,
    is_running ? translate('app.terminal.recordings.running') : formatDuration(seconds, translate),
    formatBytes(bytes, locale),
  ]
}

/** Gives the recording as a file. */
export function DownloadLink({ recording }: { recording: Recording }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { name, time } = recordingName(recording, locale)
  return (
    <Link
      href={`/api/v1/wheelhouse/recordings/${encodeURIComponent(recording.id)}/download`}
      download={`${recording.id}.cast`}
      sx={{ display: 'inline-flex', alignItems: 'center', minHeight: { xs: 44, sm: 'auto' } }}
      aria-label={translate('app.files.download_named', { name: `${name}, ${time}` })}
    >
      {translate('app.files.download')}
    </Link>
  )
}

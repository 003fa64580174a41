import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatBytes, formatDateTime, formatDuration } from '../../../components/format/format.ts'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { PendingData } from '../../../engine/parts/PendingData.tsx'
import { useToast } from '../../../engine/parts/useToast.ts'
import { type Recording, terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { PlainList } from '../../profile/PlainList.tsx'

const RecordingPlayer = lazyPart(() => import('./RecordingPlayer.tsx'))

/** Entries of one page, as the server sends them. */
const pageSize = 100

/** The recorded terminals that a person may see, with a player for one of them. */
export function RecordingList() {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [search, setSearch] = useState('')
  const [offset, setOffset] = useState(0)
  const [played, setPlayed] = useState<string>()
  const [deleting, setDeleting] = useState<Recording>()
  const text = (key: string, args?: object) => translate(`app.terminal.recordings.${key}`, args)
  const { data, error, refetch } = useQuery({
    queryKey: ['recordings', 'list', search, offset],
    queryFn: () => call(terminalEndpoints.recordings, { search, offset }),
    placeholderData: keepPreviousData,
  })
  const named = ({ server_name: name, began_at }: Recording) => ({
    name,
    time: formatDateTime(Date.parse(began_at), locale, 'short'),
  })
  const remove = async ({ id }: Recording) => {
    setDeleting(undefined)
    if (played === id) setPlayed(undefined)
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
      {played ? (
        <Suspense>
          <RecordingPlayer key={played} id={played} />
        </Suspense>
      ) : null}
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
          const { id, server_name, username, seconds, bytes, is_running, may_delete } = recording
          const facts = [
            username,
            named(recording).time,
            is_running ? text('running') : formatDuration(seconds, translate),
            formatBytes(bytes, locale),
          ]
          return (
            <li key={id} data-played={id === played}>
              <strong>{server_name}</strong>
              <span>{facts.join(' · ')}</span>
              <Button
                variant="outlined"
                color="inherit"
                aria-label={text('play_named', named(recording))}
                onClick={() => setPlayed(id)}
              >
                {text('play')}
              </Button>
              <Link
                href={`/api/v1/wheelhouse/recordings/${encodeURIComponent(id)}/download`}
                download={`${id}.cast`}
                aria-label={translate('app.files.download_named', { name: `${server_name}, ${named(recording).time}` })}
              >
                {translate('app.files.download')}
              </Link>
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
  '& > li[data-played=true]': { background: theme.vars.palette.sunken },
  [theme.breakpoints.down('sm')]: { '& strong, & span': { flex: '1 0 100%' } },
}))

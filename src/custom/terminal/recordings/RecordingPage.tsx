import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useBasename, useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { BackLink } from '../../../components/BackLink.tsx'
import { Loading, PageTitle } from '../../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { usePageTitle } from '../../../engine/define/page.tsx'
import { RetryAlert } from '../../../engine/parts/ActionDialog.tsx'
import { terminalEndpoints } from '../../../schemas/endpoints/terminalEndpoints.ts'
import { DownloadLink, recordingFacts } from './RecordingList.tsx'
import RecordingPlayer from './RecordingPlayer.tsx'

/** Milliseconds: one that is still being recorded grows. */
const refreshMs = 5_000

/** One recorded terminal, at an address of its own. Who may see it the server says, each time it is opened. */
export default function RecordingPage({ id }: { id: string }) {
  const translate = useTranslate()
  const basename = useBasename()
  return (
    <>
      <BackLink to={`${basename}/terminals`}>{translate('app.shell.terminals')}</BackLink>
      <RecordingOf key={id} id={id} />
    </>
  )
}

function RecordingOf({ id }: { id: string }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const position = useRef(0)
  /** How many bytes the recording had when it was read last, and how often more was asked for. */
  const [read, setRead] = useState<{ bytes: number; version: number }>()
  const { data, error, refetch } = useQuery({
    queryKey: ['recordings', 'one', id],
    queryFn: () => call(terminalEndpoints.recording, { recording: id }),
    refetchInterval: ({ state }) => (state.data?.is_running ? refreshMs : false),
  })
  usePageTitle(data ? `${data.server_name} · ${translate('app.terminal.recordings.title')}` : '')
  if (!data) return error ? <RetryAlert sx={{ marginTop: 2 }} error={error} onRetry={refetch} /> : <Loading />
  const { bytes, server_name } = data
  if (!read) setRead({ bytes, version: 0 })
  const { version = 0 } = read ?? {}
  return (
    <>
      <PageTitle sx={{ marginTop: 0.5, overflowWrap: 'anywhere' }}>{server_name}</PageTitle>
      <Stack direction="row" useFlexGap sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 2, marginBottom: 2 }}>
        <span style={{ overflowWrap: 'anywhere' }}>{recordingFacts(data, locale, translate).join(' · ')}</span>
        <DownloadLink recording={data} />
        {read && bytes > read.bytes ? (
          <Button variant="outlined" color="inherit" onClick={() => setRead({ bytes, version: version + 1 })}>
            {translate('app.list.refresh')}
          </Button>
        ) : null}
      </Stack>
      {error ? <RetryAlert error={error} onRetry={refetch} /> : null}
      <RecordingPlayer key={version} id={id} version={version} position={position} />
    </>
  )
}

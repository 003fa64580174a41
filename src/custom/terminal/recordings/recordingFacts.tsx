import Link from '@mui/material/Link'
import { useLocaleState, useTranslate } from 'react-admin'
import { formatBytes, formatDateTime, formatDuration, type Translate } from '../../../components/format/format.ts'
import type { Recording } from '../../../schemas/endpoints/terminalEndpoints.ts'

/** The server and the time, as arguments of texts. */
export const recordingName = ({ server_name: name, began_at }: Recording, locale: string) => ({
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

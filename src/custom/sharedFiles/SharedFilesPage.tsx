import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useBasename, useGetList, useLocation, useNavigate } from 'react-admin'
import { formatBytes } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { PageTitle, Panel, PlainTable } from '../../components/Panel.tsx'
import { usePageTitle } from '../../engine/define/page.tsx'
import { everyRowByName } from '../../records/queryRows.ts'
import { mayOn } from '../../schemas/define/access.ts'
import { sharedLimits } from '../../storage/sharedFiles.ts'
import { plainText } from '../files/transfer/remotePath.ts'
import { useSharedFiles } from './SharedFiles.tsx'

/** What another app has shared with the installed console: asks for the server to which it goes. */
export default function SharedFilesPage() {
  const { locale, translate } = useLanguage()
  const navigate = useNavigate()
  const basename = useBasename()
  const problem = new URLSearchParams(useLocation().search).get('problem')
  const { files, isPending, discard } = useSharedFiles()
  const { data = [] } = useGetList('server', everyRowByName)
  const servers = data.filter((row) => mayOn(row, 'act'))
  const [chosen, setChosen] = useState<number>()
  const server = chosen ?? Number(servers[0]?.id ?? 0)
  const title = translate('app.shared_files.title')
  usePageTitle(title)
  const limits = { count: sharedLimits.files, size: formatBytes(sharedLimits.bytes, locale) }
  return (
    <div>
      <PageTitle>{title}</PageTitle>
      {problem ? (
        <Alert severity="warning" sx={{ marginBottom: 2 }}>
          {translate(problem === 'too_much' ? 'app.shared_files.too_much' : 'app.shared_files.failed', limits)}
        </Alert>
      ) : null}
      {files.length === 0 && !isPending ? <p>{translate('app.shared_files.none')}</p> : null}
      {files.length > 0 ? (
        <Panel
          title={translate('app.shared_files.counted', { smart_count: files.length })}
          hint={translate('app.shared_files.hint')}
        >
          <PlainTable
            headings={[translate('app.files.manage.columns.name'), translate('app.files.manage.columns.size')]}
            rows={files.map(({ key, file }) => ({
              key,
              cells: [plainText(file.name), formatBytes(file.size, locale)],
            }))}
          />
          <TextField
            select
            fullWidth
            margin="normal"
            size="small"
            label={translate('resources.server.name', { smart_count: 1 })}
            value={server || ''}
            onChange={({ target }) => setChosen(Number(target.value))}
            slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
          >
            {servers.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </TextField>
          <Button
            variant="contained"
            disabled={server === 0}
            onClick={() => navigate(`${basename}/terminal/${server}?files`)}
          >
            {translate('app.shared_files.open')}
          </Button>{' '}
          <Button onClick={() => void discard(files)}>{translate('app.shared_files.discard')}</Button>
        </Panel>
      ) : null}
    </div>
  )
}

import { existsSync } from 'node:fs'
import os from 'node:os'
import type { HostDetails } from '../../host.ts'
import { readSlowText } from './readText.ts'
import { askLibrary } from './systemInformation.ts'

/** What stays the same until the next boot. */
export type Identity = Pick<HostDetails, 'platform' | 'platform_version' | 'cpu' | 'arch' | 'virtualization'>

/** Asks once for platform, processors and virtualization. What cannot be had is left empty and told to `onError`. */
export async function readIdentity(onError: (error: unknown) => void): Promise<Identity> {
  const [platform, virtualization] = await Promise.all([
    readPlatform().catch((error: unknown) => {
      onError(error)
      return { platform: os.platform() as string, platform_version: os.release() }
    }),
    readVirtualization().catch((error: unknown) => {
      onError(error)
      return ''
    }),
  ])
  return {
    ...platform,
    virtualization,
    arch: os.machine(),
    cpu: describeCpus(await cpuModels(onError), virtualization !== ''),
  }
}

/** One line per model, with the number of its cores: `Intel(R) Xeon(R) Processor 2 Virtual Core`. */
export function describeCpus(models: string[], isVirtual: boolean): string[] {
  const cores = new Map<string, number>()
  for (const model of models) cores.set(model, (cores.get(model) ?? 0) + 1)
  return [...cores].map(([model, count]) => `${model} ${count} ${isVirtual ? 'Virtual' : 'Physical'} Core`)
}

/** The distribution's short name and version; Debian tells its point release only in a file of its own. */
export function parseOsRelease(osRelease: string, debianVersion: string): { platform: string; version: string } {
  const value = (key: string) => new RegExp(`^${key}=["']?([^"'\\n]*)`, 'm').exec(osRelease)?.[1]?.trim() ?? ''
  const platform = value('ID')
  const point = debianVersion.trim()
  return { platform, version: platform === 'debian' && /^\d/.test(point) ? point : value('VERSION_ID') }
}

async function readPlatform(): Promise<Pick<Identity, 'platform' | 'platform_version'>> {
  if (os.platform() === 'linux') {
    const osRelease = (await readSlowText('/etc/os-release')) || (await readSlowText('/usr/lib/os-release'))
    const { platform, version } = parseOsRelease(osRelease, await readSlowText('/etc/debian_version'))
    if (platform) return { platform, platform_version: version }
  }
  const found = await askLibrary('platform', (library) => library.osInfo())
  // Consoles know Windows by its edition, and macOS by the name of its kernel.
  return { platform: os.platform() === 'win32' ? found.distro : found.platform, platform_version: found.release }
}

async function readVirtualization(): Promise<string> {
  if (existsSync('/run/.containerenv')) return 'podman'
  // systemd leaves the kind of container it runs in here: lxc, systemd-nspawn, docker ...
  const container = (await readSlowText('/run/systemd/container')).trim()
  if (container) return container
  const found = await askLibrary('virtualization', (library) => library.system())
  if (found.model === 'Docker Container') return 'docker'
  if (!found.virtual) return ''
  return found.virtualHost?.toLowerCase() || 'virtual'
}

async function cpuModels(onError: (error: unknown) => void): Promise<string[]> {
  const models = os.cpus().map(({ model }) => model.trim())
  // Many ARM kernels do not name their processor; the library knows more places to look.
  if (models.every((model) => model !== '' && model !== 'unknown')) return models
  try {
    const { manufacturer, brand } = await askLibrary('processor', (library) => library.cpu())
    const name = `${manufacturer} ${brand}`.trim() || os.machine()
    return models.map(() => name)
  } catch (error) {
    onError(error)
    return models.map(() => os.machine())
  }
}

import { existsSync } from 'node:fs'
import os from 'node:os'
import { once } from '../../../../concurrency/once.ts'
import type { HostDetails } from '../../host.ts'
import { querySystemInformation, readSlowFile } from './querySystemInformation.ts'

/** What does not change before the next boot. */
export type PlatformInfo = Pick<HostDetails, 'platform' | 'platform_version' | 'cpu' | 'arch' | 'virtualization'>

/** Reads platform, processors and virtualization. What is not available stays empty and is reported to `onError`. */
export async function readPlatformInfo(onError: (error: unknown) => void): Promise<PlatformInfo> {
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

/** One entry per model, with the number of its cores: `Intel(R) Xeon(R) Processor 2 Virtual Core`. */
export function describeCpus(models: string[], isVirtual: boolean): string[] {
  const cores = new Map<string, number>()
  for (const model of models) cores.set(model, (cores.get(model) ?? 0) + 1)
  return [...cores].map(([model, count]) => `${model} ${count} ${isVirtual ? 'Virtual' : 'Physical'} Core`)
}

/** The distribution's short name and version. Debian has its point release only in `/etc/debian_version`. */
export function parseOsRelease(osRelease: string, debianVersion: string): { platform: string; version: string } {
  const value = (key: string) => new RegExp(`^${key}=["']?([^"'\\n]*)`, 'm').exec(osRelease)?.[1]?.trim() ?? ''
  const platform = value('ID')
  const point = debianVersion.trim()
  return { platform, version: platform === 'debian' && /^\d/.test(point) ? point : value('VERSION_ID') }
}

async function readPlatform(): Promise<Pick<PlatformInfo, 'platform' | 'platform_version'>> {
  if (os.platform() === 'linux') {
    const osRelease = (await readSlowFile('/etc/os-release')) || (await readSlowFile('/usr/lib/os-release'))
    const { platform, version } = parseOsRelease(osRelease, await readSlowFile('/etc/debian_version'))
    if (platform) return { platform, platform_version: version }
  }
  const info = await querySystemInformation('platform', (library) => library.osInfo())
  // As agents report it: Windows by its edition, macOS by the name of its kernel.
  return { platform: os.platform() === 'win32' ? info.distro : info.platform, platform_version: info.release }
}

/** It starts programs, and nothing that it says changes before the next boot. */
const readSystem = once(() => querySystemInformation('virtualization', (library) => library.system()))

async function readVirtualization(): Promise<string> {
  if (existsSync('/run/.containerenv')) return 'podman'
  // Written by systemd: lxc, systemd-nspawn, docker ...
  const container = (await readSlowFile('/run/systemd/container')).trim()
  if (container) return container
  const found = await readSystem()
  if (found.model === 'Docker Container') return 'docker'
  if (!found.virtual) return ''
  return found.virtualHost?.toLowerCase() || 'virtual'
}

async function cpuModels(onError: (error: unknown) => void): Promise<string[]> {
  const models = os.cpus().map(({ model }) => model.trim())
  // Many ARM kernels do not report the model; the library has other sources.
  if (models.every((model) => model !== '' && model !== 'unknown')) return models
  try {
    const { manufacturer, brand } = await querySystemInformation('processor', (library) => library.cpu())
    const name = `${manufacturer} ${brand}`.trim() || os.machine()
    return models.map(() => name)
  } catch (error) {
    onError(error)
    return models.map(() => os.machine())
  }
}

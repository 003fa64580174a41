import { describe, expect, it } from 'vitest'
import { tellFile, tellPackage, tellProcesses, tellUnit } from '../../../server/inspect/questions/readings.ts'

describe('what programs print', () => {
  it.each([
    ['dpkg\nii  3.0.15-1~deb12u1\nii  3.0.15-1~deb12u1\n', '3.0.15-1~deb12u1'],
    ['dpkg\nhi  1:2.39-6\n', '1:2.39-6'],
    ['dpkg\nrc  1.0\n', undefined],
    ['dpkg\nun  \n', undefined],
    ['dpkg\n', undefined],
    ['rpm\n6.1.9-2.el9\n1:6.1.10-2.el9_4.1\n', '1:6.1.10-2.el9_4.1\n6.1.9-2.el9'],
    ['rpm\npackage openssl is not installed\n', undefined],
    ['apk\nopenssl-3.3.2-r1\n', '3.3.2-r1'],
    ['apk\n', undefined],
    ['opkg\nluci-base - 24.086\n', '24.086'],
    ['pkg\n8.9.1\n', '8.9.1'],
  ])('about a package: %j is %j', (output, text) => {
    expect(tellPackage(output)).toEqual(text === undefined ? { text: '', isAbsent: true } : { text })
  })

  it('about a unit', () => {
    const unit = (load: string, active: string, sub: string, file: string) =>
      tellUnit(`LoadState=${load}\nActiveState=${active}\nSubState=${sub}\nUnitFileState=${file}\n`)
    expect(unit('loaded', 'active', 'running', 'enabled')).toEqual({ text: 'active (running), enabled' })
    expect(unit('masked', 'inactive', 'dead', 'masked')).toEqual({ text: 'inactive (dead), masked' })
    expect(unit('loaded', 'failed', 'failed', '')).toEqual({ text: 'failed (failed)' })
    expect(unit('not-found', 'inactive', 'dead', '')).toEqual({ text: '', isAbsent: true })
    expect(tellUnit(' * status: started\n')).toEqual({ text: 'started' })
    expect(tellUnit('')).toEqual({ text: '', isAbsent: true })
  })

  it('about a file, which a machine without checksums can say unless they are needed', () => {
    const sum = 'a'.repeat(64)
    expect(tellFile('8 \nport 80\n')).toEqual({ text: 'port 80\n' })
    expect(tellFile(`8 ${sum} -\nport 80\n`)).toEqual({ text: 'port 80\n' })
    expect(tellFile(`1 ${sum} -\n\uFFFD`)).toEqual({ text: '\uFFFD', size: 1, checksum: sum })
    expect(() => tellFile('1 \n\uFFFD')).toThrow('sha256sum is not installed on this machine.')
    expect(() => tellFile('70000 \nx')).toThrow('sha256sum is not installed on this machine.')
  })

  it('about processes, without those that ask', () => {
    const output =
      '90\n  1     0 /sbin/init\n 90    80 sh -c ps nginx\n 91    90 ps nginx\n  7     1 nginx: Worker\n  8     1 nginx: Worker\n'
    expect(tellProcesses(output, 'NGINX')).toEqual({ text: 'nginx: Worker (2)' })
    expect(tellProcesses(output, 'apache')).toEqual({ text: '', isAbsent: true })
  })
})

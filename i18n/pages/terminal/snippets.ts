import type { Texts } from '../../define/text.ts'

/** Stored commands that are inserted into a terminal. */
export const snippets = {
  open: { en: 'Snippets', it: 'Frammenti', zhCN: '代码片段', zhTW: '程式碼片段', de: 'Textbausteine' },
  empty: {
    en: 'Snippets are commands that you use often. There are none yet.',
    it: 'I frammenti sono comandi che si usano spesso. Non ce ne sono ancora.',
    zhCN: '代码片段是常用的命令。目前还没有。',
    zhTW: '片段是常用的指令。目前還沒有。',
    de: 'Textbausteine sind Befehle, die man oft braucht. Noch gibt es keine.',
  },
  storage_note: {
    en: 'Stored in this browser only, unencrypted. Do not include passwords.',
    it: 'Conservati solo in questo browser, non cifrati: non inserire password.',
    zhCN: '仅以未加密形式保存在此浏览器中：请勿存放密码。',
    zhTW: '僅以未加密形式儲存在此瀏覽器中：請勿存放密碼。',
    de: 'Nur in diesem Browser gespeichert, unverschlüsselt: keine Passwörter ablegen.',
  },
  name: { en: 'Name', it: 'Nome', zhCN: '名称', zhTW: '名稱', de: 'Name' },
  text: { en: 'Text', it: 'Testo', zhCN: '文本', zhTW: '文字', de: 'Text' },
  add: { en: 'New snippet', it: 'Nuovo frammento', zhCN: '新建片段', zhTW: '新增片段', de: 'Neuer Textbaustein' },
  edit: { en: 'Edit', it: 'Modifica', zhCN: '编辑', zhTW: '編輯', de: 'Bearbeiten' },
  edit_title: {
    en: 'Edit snippet',
    it: 'Modifica frammento',
    zhCN: '编辑片段',
    zhTW: '編輯片段',
    de: 'Textbaustein bearbeiten',
  },
  undo: { en: 'Undo', it: 'Annulla eliminazione', zhCN: '撤销', zhTW: '復原', de: 'Rückgängig' },
  insert: { en: 'Insert', it: 'Inserisci', zhCN: '插入', zhTW: '插入', de: 'Einfügen' },
  run: { en: 'Run', it: 'Esegui', zhCN: '运行', zhTW: '執行', de: 'Ausführen' },
  export: { en: 'Export', it: 'Esporta', zhCN: '导出', zhTW: '匯出', de: 'Exportieren' },
  import: { en: 'Import', it: 'Importa', zhCN: '导入', zhTW: '匯入', de: 'Importieren' },
  imported: {
    en: 'Imported: %{smart_count} new snippet |||| Imported: %{smart_count} new snippets',
    it: 'Importati: %{smart_count} nuovo frammento |||| Importati: %{smart_count} nuovi frammenti',
    zhCN: '已导入 %{smart_count} 个新片段',
    zhTW: '已匯入 %{smart_count} 個新片段',
    de: 'Importiert: %{smart_count} neuer Textbaustein |||| Importiert: %{smart_count} neue Textbausteine',
  },
  problem: {
    not_json: {
      en: '%{file} is not JSON. Choose a file that was exported here.',
      it: '%{file} non è JSON. Scegli un file esportato da qui.',
      zhCN: '%{file} 不是 JSON。请选择从这里导出的文件。',
      zhTW: '%{file} 不是 JSON。請選擇從這裡匯出的檔案。',
      de: '%{file} ist kein JSON. Bitte eine Datei wählen, die hier exportiert wurde.',
    },
    no_list: {
      en: '%{file} does not contain a list of snippets. Choose a file that was exported here.',
      it: '%{file} non contiene un elenco di frammenti. Scegli un file esportato da qui.',
      zhCN: '%{file} 中没有片段列表。请选择从这里导出的文件。',
      zhTW: '%{file} 中沒有片段清單。請選擇從這裡匯出的檔案。',
      de: '%{file} enthält keine Liste von Textbausteinen. Bitte eine Datei wählen, die hier exportiert wurde.',
    },
    no_name: {
      en: '%{file}: snippet %{number} has no name. Nothing was imported.',
      it: '%{file}: il frammento %{number} non ha nome. Non è stato importato nulla.',
      zhCN: '%{file}：第 %{number} 个片段没有名称。未导入任何内容。',
      zhTW: '%{file}：第 %{number} 個片段沒有名稱。未匯入任何內容。',
      de: '%{file}: Textbaustein %{number} hat keinen Namen. Es wurde nichts importiert.',
    },
    no_text: {
      en: '%{file}: snippet %{number} (“%{name}”) has no text. Nothing was imported.',
      it: '%{file}: il frammento %{number} («%{name}») non ha testo. Non è stato importato nulla.',
      zhCN: '%{file}：第 %{number} 个片段（“%{name}”）没有文本。未导入任何内容。',
      zhTW: '%{file}：第 %{number} 個片段（「%{name}」）沒有文字。未匯入任何內容。',
      de: '%{file}: Textbaustein %{number} („%{name}“) hat keinen Text. Es wurde nichts importiert.',
    },
  },
} satisfies Texts

/** Subjects and sentences in every script an engine has to carry unharmed. */
export const subjects = [
  'Quarterly figures',
  'Re: Angebot für die Größen 36–48',
  'FW: Réunion reportée à jeudi',
  '見積書の件',
  'Счёт за ноябрь',
  'اجتماع الغد',
  'תזכורת: פגישה',
  'बैठक का कार्यवृत्त',
  '📦 Your parcel is on its way 🚚',
  'Zażółć gęślą jaźń',
  'Αναφορά προόδου',
  'การประชุมวันศุกร์',
  '회의록 공유',
  'Long subject '.repeat(18).trim(),
  '',
  'Tabs\tand "quotes" <angles> & ampersands',
  'e\u0301 combining and \u202Eright-to-left override',
] as const;

export const sentences = [
  'Please find the figures attached; the second sheet has changed.',
  'Können wir das bitte bis Freitag klären? Die Größe stimmt nicht.',
  '本日はお忙しいところありがとうございました。',
  'Пожалуйста, подтвердите получение письма.',
  'شكراً لكم على الاجتماع اليوم.',
  'תודה על העדכון.',
  'धन्यवाद, मैं देखता हूँ।',
  'Merci de votre retour, je vous rappelle demain.',
  '감사합니다. 내일 뵙겠습니다.',
  'The 👩‍👩‍👧 emoji and the 𝔘nicode maths survive, do they not?',
  'See you at the usual place.',
  '.A line that starts with a full stop',
  'From here on it gets complicated.',
] as const;

export const fileNames = [
  'figures.xlsx',
  'Vertrag – Entwurf (Übersicht).docx',
  '請求書.pdf',
  'фото.jpg',
  'no extension',
  'a very long file name '.repeat(9).trim().concat('.txt'),
  'notes.txt',
] as const;

export const categories = ['Blue category', 'Red category', 'Wichtig', '重要'] as const;

/** Names of folders people have made, with what breaks path handling: slashes, dots, blanks, every script. */
export const folderNames = [
  'Projects',
  'Kunden & Partner',
  'a/b\\c',
  '経理',
  '..',
  'Архив',
  ' leading blank',
  '2024',
  'Ünïcödé',
  'חשבוניות',
] as const;

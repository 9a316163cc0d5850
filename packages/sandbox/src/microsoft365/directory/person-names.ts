/** Given name, surname, usage location, language and the Latin form for addresses, of people in many scripts. */
export const people = [
  ['Ada', 'Lindqvist', 'SE', 'sv-SE', 'ada.lindqvist'],
  ['Ümit', 'Yıldırım', 'TR', 'tr-TR', 'umit.yildirim'],
  ['Søren', 'Ærøskøbing', 'DK', 'da-DK', 'soren.aeroskobing'],
  ['美咲', '田中', 'JP', 'ja-JP', 'misaki.tanaka'],
  ['Фёдор', 'Щукин', 'BG', 'bg-BG', 'fyodor.shchukin'],
  ['Zoë', 'O’Brien-Ødegård', 'IE', 'en-IE', 'zoe.obrien'],
  ['ليلى', 'الحسن', 'AE', 'ar-AE', 'layla.alhassan'],
  ['Jürgen', 'Groß', 'DE', 'de-DE', 'juergen.gross'],
  ['Ελένη', 'Παπαδοπούλου', 'GR', 'el-GR', 'eleni.papadopoulou'],
  ['नेहा', 'शर्मा', 'IN', 'hi-IN', 'neha.sharma'],
  ['José María', 'Núñez', 'ES', 'es-ES', 'jose.nunez'],
  ['דוד', 'לוי', 'IL', 'he-IL', 'david.levi'],
  ['민준', '김', 'KR', 'ko-KR', 'minjun.kim'],
  ['Zbigniew', 'Łódzki', 'PL', 'pl-PL', 'zbigniew.lodzki'],
  ['Chloé', 'Lefèvre', 'FR', 'fr-FR', 'chloe.lefevre'],
  ['สมชาย', 'ใจดี', 'TH', 'th-TH', 'somchai.jaidee'],
  ['Grace', 'Okafor', 'NG', 'en-GB', 'grace.okafor'],
  ['伟', '李', 'SG', 'zh-CN', 'wei.li'],
  ['Marta', 'Dvořáková', 'CZ', 'cs-CZ', 'marta.dvorakova'],
  ['Đặng', 'Nguyễn', 'VN', 'vi-VN', 'dang.nguyen'],
] as const;

export const jobTitles = ['Accountant', 'Architect', 'Buyer', 'Controller', 'Designer', 'Engineer', 'Lawyer'] as const;

export const departments = ['Finance', 'Legal', 'Operations', 'Planning', 'Research', 'Sales'] as const;

export const groupNames = [
  'Board',
  'Finance',
  'Projekt Ärger',
  'Research & Development',
  '営業部',
  'Website Relaunch',
] as const;

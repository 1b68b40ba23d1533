import '../shared/words.ts';
import { showPage } from '../shared/show-page.tsx';
import { ManyPage } from './page.tsx';
import '../shared/style.css';
import '../shared/menu.css';
import './style.css';

showPage(ManyPage);

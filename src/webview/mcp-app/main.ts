// the page of the chart as it is in the editor, inside of a chat
import './theme.css';
import './connect.ts';
import '../chart/main.tsx';
